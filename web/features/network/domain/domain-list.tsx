import { Alert, Button } from '@mantine/core'
import { IconPlus, IconShieldOff, IconWorldWww } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { DOMAIN_KINDS, domainApi, type domainRow } from '#contract/network/domain.ts'
import { query } from '#web/api/query.ts'
import { DomainCreate } from '#web/features/network/domain/domain-form.tsx'
import { DOMAIN_STATUS } from '#web/features/network/domain/domain-status.ts'
import { DomainPanel } from '#web/features/network/domain/domain-panel.tsx'
import { UnsafeDialog } from '#web/features/network/domain/unsafe-dialog.tsx'
import { UNKNOWN } from '#web/format.ts'
import { choice, column, copied, count, idColumn, moment, status, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'

type Domain = z.output<typeof domainRow>

const DOMAIN_COLUMNS: Columns<Domain, 'domain'> = [
  idColumn({ hidden: true }),
  copied('host', { sort: true, width: 240, card: 'title' }),
  choice('kind', DOMAIN_KINDS, { sort: true, card: 'field' }),
  status(DOMAIN_STATUS, { sort: true }),
  column<Domain, 'use'>('use', {
    width: 190,
    card: 'field',
    cell: (one, t) => wordsOfUse(one, t) || UNKNOWN,
    csv: (one, t) => wordsOfUse(one, t),
  }),
  column<Domain, 'problem'>('problem', {
    width: 230,
    card: 'field',
    cell: (one, t) => (one.failing === null || one.status === 'burnt' ? UNKNOWN : t(`problem.${one.failing}`)),
    csv: (one) => one.failing,
  }),
  moment('checked_at', { sort: true, card: 'field' }),
  moment('certificate_expires_at', { sort: true, hidden: true }),
  moment('verified_at', { hidden: true }),
  moment('failing_since', { hidden: true }),
  moment('burnt_at', { hidden: true }),
  count('assigned', { hidden: true }),
  moment('created_at', { sort: true, hidden: true }),
]

/** /settings/domains: the names under which the panel is opened and links are clicked. */
export function DomainList() {
  const { t } = useTranslation('domain')
  const { open, hrefOf, show, close } = usePanelAddress('domain')
  const [creating, setCreating] = useState(false)
  const [listing, setListing] = useState(false)
  const list = useList(domainApi.list, {
    name: 'domain',
    columns: useColumns('domain', DOMAIN_COLUMNS),
    rowKey: (domain) => domain.uuid,
    otherKeys: ['domain'],
    sort: { column: 'host', direction: 'asc' },
    filters: {
      search: searchFilter(t('search')),
      kind: choiceFilter(
        t('kind'),
        DOMAIN_KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
      ),
      status: choiceFilter(t('status'), useStatusOptions(DOMAIN_STATUS)),
    },
  })
  const failing = useQuery(query(domainApi.list, { body: { status: ['failing'] } }, { quiet: true })).data
  const broken = failing?.list.filter((one) => one.default) ?? []
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t('add')}
    </Button>
  )
  return (
    <SettingsPage wide>
      {broken.length > 0 && (
        <Alert color="var(--ohma-bad)" mb="md">
          {t('defaultFails', { hosts: broken.map(({ host }) => host).join(', ') })}
        </Alert>
      )}
      <ListPage
        list={list}
        title={t('title')}
        inner
        actions={
          <>
            <Button variant="default" leftSection={<IconShieldOff size={16} aria-hidden />} onClick={() => setListing(true)}>
              {t('unsafe')}
            </Button>
            {add}
          </>
        }
        empty={{ icon: <IconWorldWww size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
        rowHref={({ uuid }) => hrefOf(uuid)}
        rowActions={undefined}
        exportName="domains"
      />
      {listing && <UnsafeDialog onClose={() => setListing(false)} />}
      {creating && (
        <DomainCreate
          onClose={() => setCreating(false)}
          onMade={(uuid) => {
            setCreating(false)
            show(uuid)
          }}
        />
      )}
      {open !== null && (
        <DomainPanel key={open} uuid={open} among={(list.rows ?? []).map(({ uuid }) => uuid)} onShow={show} onClose={close} />
      )}
    </SettingsPage>
  )
}

function wordsOfUse({ default: usual, assigned, status: stands }: Domain, t: (key: string, options?: Record<string, unknown>) => string) {
  if (stands === 'burnt') return t('use.burnt')
  return [...(usual ? [t('use.default')] : []), ...(assigned > 0 ? [t('use.assigned', { count: assigned, number: assigned })] : [])].join(
    ' · ',
  )
}
