import { IconUserQuestion } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { BlacklistTab } from '#web/blacklist-tab.tsx'
import { ExportContacts } from '#web/features/leads/user-session/export-contacts.tsx'
import { useSessionFilters } from '#web/features/leads/user-session/session-filters.ts'
import { SessionPanel } from '#web/features/leads/user-session/session-panel.tsx'
import { StoppedProducts } from '#web/features/leads/user-session/stopped-products.tsx'
import { LEAD_QUEUES, sessionColumns, type LeadQueue } from '#web/features/leads/user-session/user-session-columns.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { PrivacyTab } from '#web/privacy-tab.tsx'
import { useCan } from '#web/shell/access.ts'
import { useTrafficTypeFilter } from '#web/traffic-type-filter.ts'
import { useInboxCounts } from '#web/shell/inbox-counts.ts'
import { PartTabs } from '#web/shell/part-tabs.tsx'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'
import { StuckTab } from '#web/stuck-tab.tsx'

/** What keeps leads from an advertiser, beside the leads that wait. */
const STOPPED = 'stopped'
/** What advertisers said and nothing could be made of. */
const STUCK = 'stuck'
const BLACKLIST = 'blacklist'
const SUPPRESSION = 'suppression'
const PERSON = 'person'
const RETENTION = 'retention'
const QUEUES = Object.keys(LEAD_QUEUES) as LeadQueue[] // keys of a literal object

/** /statistic/api/user-session: leads as they came, masked, and what became of each; for staff also those that wait, by what for. */
export function UserSessionList() {
  const { t } = useTranslation('userSession')
  const can = useCan()
  const staff = can('report.money')
  const mayDecide = can('lead.decide')
  const mayBlock = can('blacklist.write')
  const mayManage = can('person.manage')
  const waits = useInboxCounts()
  const waitingAt: Partial<Record<LeadQueue, number>> = { unclear: waits?.sends ?? 0, held: waits?.leads ?? 0 }
  const [search] = useSearchParams()
  const queue = (staff && QUEUES.find((one) => one === search.get('tab'))) || null
  const queues = QUEUES.map((tab) => ({ tab, label: t(`tab.${tab}`), waiting: waitingAt[tab] ?? 0 }))
  const parts = [
    ...queues,
    ...(mayDecide ? [{ tab: STUCK, label: t('tab.stuck'), waiting: waits?.stuck ?? 0 }] : []),
    { tab: STOPPED, label: t('tab.stopped') },
    ...(mayBlock ? [{ tab: BLACKLIST, label: t('blacklist') }] : []),
    ...(mayManage
      ? [
          { tab: SUPPRESSION, label: t('suppression') },
          { tab: PERSON, label: t('person.data') },
          { tab: RETENTION, label: t('retention') },
        ]
      : []),
  ]
  const tab = search.get('tab')
  return (
    <>
      <PageHeader title={t('section')} tabs={<ScreenTabs below="/statistic/api" label={t('section')} />} />
      {staff && <PartTabs label={t('title')} first={t('tab.all')} parts={parts} />}
      {staff && tab === STOPPED ? (
        <StoppedProducts />
      ) : mayDecide && tab === STUCK ? (
        <StuckTab />
      ) : mayBlock && tab === BLACKLIST ? (
        <BlacklistTab />
      ) : mayManage && tab === SUPPRESSION ? (
        <PrivacyTab of="suppression" />
      ) : mayManage && tab === PERSON ? (
        <PrivacyTab of="person" />
      ) : mayManage && tab === RETENTION ? (
        <PrivacyTab of="retention" />
      ) : (
        <Sessions key={queue} queue={queue} staff={staff} />
      )}
    </>
  )
}

function Sessions({ queue, staff }: { queue: LeadQueue | null; staff: boolean }) {
  const { t } = useTranslation('userSession')
  const can = useCan()
  const traffic = useTrafficTypeFilter('search', 'origin')
  const list = useList(userSessionApi.list, {
    name: queue === null ? 'user-session' : `user-session-${queue}`,
    columns: useColumns(
      'userSession',
      useMemo(() => sessionColumns(staff, queue), [staff, queue]),
    ),
    rowKey: ({ uuid }) => uuid,
    // of what waits the longest first
    sort: queue === null ? { column: 'received_at', direction: 'desc' } : { column: 'changed_at', direction: 'asc' },
    ...(queue !== null && { fixed: { status: [LEAD_QUEUES[queue]], traffic: 'all' } }),
    filters: { ...useSessionFilters(queue === null), ...(queue === null && traffic) },
    otherKeys: ['session', 'tab'],
  })
  const { open, hrefOf, show, close } = usePanelAddress('session')
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t(queue === null ? 'title' : `tab.${queue}`)}
        empty={{
          icon: <IconUserQuestion size={26} stroke={1.6} aria-hidden />,
          title: t(queue === null ? 'empty.title' : `empty.${queue}`),
          text: t(queue !== null ? `empty.${queue}Text` : staff ? 'empty.text' : 'empty.own'),
        }}
        rowHref={({ uuid }) => hrefOf(uuid)}
        rowActions={undefined}
        beside={can('lead.export') && <ExportContacts asked={list.asked} rows={list.count} />}
        exportName={queue === null ? 'user-sessions' : `user-sessions-${queue}`}
      />
      {open !== null && <SessionPanel uuid={open} among={(list.rows ?? []).map(({ uuid }) => uuid)} onShow={show} onClose={close} />}
    </>
  )
}
