import { Button } from '@mantine/core'
import { IconPlus, IconTrash, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { integrationApi, type IntegrationDetail } from '#contract/leads/integration.ts'
import { useSave } from '#web/api/query.ts'
import { IntegrationState } from '#web/features/leads/integration/integration-state.tsx'
import { INTEGRATION_STATUS } from '#web/features/leads/integration/integration-status.ts'
import { IntegrationName } from '#web/features/leads/integration/integration-name.tsx'
import { IntegrationVersions } from '#web/features/leads/integration/integration-versions.tsx'
import { NewProduct } from '#web/features/leads/integration/new-product.tsx'
import { IntegrationWords } from '#web/features/leads/integration/integration-words.tsx'
import { SpecForm } from '#web/features/leads/integration/spec/spec-form.tsx'
import { History } from '#web/history.tsx'
import { integer } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { useStatus } from '#web/kit/status/use-status.tsx'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import { useCan } from '#web/shell/access.ts'

/** What shows an integration. */
const ANSWERS = [integrationApi.list, integrationApi.get] as const

/** /settings/test-api/integrations/edit/:uuid: how one advertiser's system takes leads. */
export function IntegrationEdit() {
  const { t } = useTranslation('integration')
  return (
    <DetailPage screen="integrationEdit" endpoint={integrationApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(integration) => (
        <>
          <Header integration={integration} />
          <UrlTabs
            label={integration.title}
            tabs={[
              { id: 'calls', label: t('tab.calls'), content: <SpecForm integration={integration} /> },
              {
                id: 'words',
                label: t('tab.words'),
                content: <IntegrationWords integration={integration} />,
                ...(integration.words > 0 && { badge: integer(integration.words) }),
              },
              { id: 'name', label: t('tab.name'), content: <IntegrationName integration={integration} /> },
              {
                id: 'versions',
                label: t('tab.versions'),
                content: <IntegrationVersions integration={integration} />,
                badge: integer(integration.versions.length),
              },
              { id: 'activity', label: t('tab.activity'), content: <History kind="integration" uuid={integration.uuid} /> },
            ]}
          />
        </>
      )}
    </DetailPage>
  )
}

function Header({ integration }: { integration: IntegrationDetail }) {
  const { t } = useTranslation('integration')
  const can = useCan()
  const mayWrite = can('integration.write')
  const [making, setMaking] = useState(false)
  const { actionsFor } = useStatus(INTEGRATION_STATUS)
  const { uuid, version, active, draft, mistakes } = integration
  const publish = useSave(integrationApi.publish, { invalidate: ANSWERS })
  const discard = useSave(integrationApi.discard, { invalidate: ANSWERS })
  const throwAway = async () => {
    const sure = await confirm({
      title: t('discard.title', { draft }),
      text: t('discard.text', { active }),
      action: t('discard'),
      danger: true,
    })
    if (sure) discard.mutate({ params: { uuid }, body: { version } })
  }
  const why = mistakes.length > 0 ? t('publish.mistakes', { count: mistakes.length }) : undefined
  return (
    <PageHeader
      title={integration.title}
      id={integration.id}
      status={<IntegrationState of={integration} />}
      facts={[
        t(`type.${integration.type}`),
        ...(integration.preset === ''
          ? []
          : [t('fact.preset', { preset: integration.preset_name || integration.preset }), t('fact.unseen')]),
        ...(active === null ? [] : [t('version.active', { active })]),
        ...(draft === null ? [] : [t('fact.draft', { draft })]),
      ]}
      actions={
        <>
          <RowMenu
            size="md"
            actions={[
              ...(mayWrite && draft !== null && active !== null
                ? [{ id: 'discard', label: t('discard'), icon: <IconTrash size={16} aria-hidden />, onClick: () => void throwAway() }]
                : []),
              ...(mayWrite ? actionsFor(integration) : []),
            ]}
          />
          {active !== null && integration.status === 'active' && can('product.write') && (
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
              {t('newProduct')}
            </Button>
          )}
          {making && <NewProduct integration={integration} onClose={() => setMaking(false)} />}
          {mayWrite && draft !== null && (
            <Button
              leftSection={<IconUpload size={16} aria-hidden />}
              loading={publish.isPending}
              disabled={why !== undefined}
              title={why}
              onClick={() => publish.mutate({ params: { uuid }, body: { version } })}
            >
              {t('publish', { draft })}
            </Button>
          )}
        </>
      }
    />
  )
}
