import { Anchor, Button } from '@mantine/core'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { integrationApi, type Integration } from '#contract/leads/integration.ts'
import { INTEGRATION_TYPE_KEYS } from '#contract/leads/integration-type.ts'
import { IntegrationState } from '#web/features/leads/integration/integration-state.tsx'
import { INTEGRATION_STATUS } from '#web/features/leads/integration/integration-status.ts'
import { NewIntegration } from '#web/features/leads/integration/new-integration.tsx'
import { choice, column, idColumn, moment, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { StatusMenu } from '#web/kit/status/status-menu.tsx'
import { useStatus, useStatusOptions } from '#web/kit/status/use-status.tsx'
import { screenHref } from '#web/shell/access.ts'
import { TestApiPage } from '#web/shell/settings/test-api-page.tsx'

const COLUMNS: Columns<Integration, 'integration'> = [
  idColumn(),
  text('title', { header: 'name', sort: true, width: 220, card: 'title' }),
  choice('type', INTEGRATION_TYPE_KEYS, { sort: true, width: 160, card: 'field' }),
  column<Integration, 'versions'>('versions', {
    width: 190,
    card: 'field',
    cell: (one, t) => versionText(one, t),
    csv: ({ active }) => active,
  }),
  column<Integration, 'preset'>('preset', {
    width: 130,
    cell: ({ preset, preset_name: name }, t) => (preset === '' ? <span className="ohma-soft">{t('preset.none')}</span> : name || preset),
    csv: ({ preset, preset_name: name }) => name || preset,
  }),
  column<Integration, 'words'>('words', {
    width: 150,
    cell: ({ uuid, words }, t) =>
      words > 0 && (
        <Anchor component={Link} to={`${screenHref('integrationEdit', { uuid })}?tab=words`}>
          {t('words.open', { count: words })}
        </Anchor>
      ),
    csv: ({ words }) => words,
  }),
  column<Integration, 'status'>('status', {
    width: 150,
    whole: true,
    sort: true,
    card: 'field',
    cell: (one) => <IntegrationState of={one} />,
    csv: ({ active, status }, t) => t(active === null && status === 'active' ? 'unpublished' : `status.${status}`),
  }),
  moment('created_at', { sort: true, hidden: true }),
  moment('updated_at', { sort: true }),
]

/** /settings/test-api/integrations: how advertisers' systems take leads. */
export function IntegrationList() {
  const { t } = useTranslation('integration')
  const { actionsFor } = useStatus(INTEGRATION_STATUS)
  const [making, setMaking] = useState<{ copyOf?: Integration }>()
  const list = useList(integrationApi.list, {
    name: 'integration',
    columns: useColumns('integration', COLUMNS),
    rowKey: ({ uuid }) => uuid,
    leftOut: { status: 'archived' },
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      type: choiceFilter(
        t('type'),
        INTEGRATION_TYPE_KEYS.map((value) => ({ value, label: t(`type.${value}`) })),
      ),
      status: choiceFilter(t('status'), useStatusOptions(INTEGRATION_STATUS)),
    },
  })
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking({})}>
      {t('add')}
    </Button>
  )
  return (
    <TestApiPage>
      <ListPage
        list={list}
        title={t('title')}
        inner
        actions={add}
        empty={{ icon: <IconPlugConnected size={26} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
        rowHref={({ uuid }) => screenHref('integrationEdit', { uuid })}
        rowActions={(one) => [
          { id: 'copy', label: t('copy'), icon: <IconPlus size={16} aria-hidden />, onClick: () => setMaking({ copyOf: one }) },
          ...actionsFor(one),
        ]}
        bulkActions={<StatusMenu list={list} of={INTEGRATION_STATUS} />}
        exportName="integrations"
      />
      {making !== undefined && <NewIntegration copyOf={making.copyOf} onClose={() => setMaking(undefined)} />}
    </TestApiPage>
  )
}

/** "Version 3", "Version 3, draft 4", "Draft 1, nothing published". */
function versionText({ active, draft }: Integration, t: (key: string, values?: Record<string, unknown>) => string): string {
  if (active === null) return t('version.onlyDraft', { draft })
  return draft === null ? t('version.active', { active }) : t('version.both', { active, draft })
}
