import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RECOLD_ITEM_STATUSES, recoldApi, type RecoldItem, type RecoldItemStatus, type RecoldLive } from '#contract/leads/recold.ts'
import { SKIP_REASONS } from '#contract/leads/recold-plan.ts'
import { useSave } from '#web/api/query.ts'
import { RECOLD_ITEM_STATUS } from '#web/features/leads/recold/recold-status.ts'
import { RECOLD_CHANGED } from '#web/features/leads/recold/use-recold-actions.tsx'
import { integer, UNKNOWN } from '#web/format.ts'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { column, country, moment, reference, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import type { Words } from '#web/kit/status/status-look.ts'
import { MovePeople } from '#web/move-people.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

const personOf = ({ name, email, phone }: RecoldItem) => [name, email, phone].filter(Boolean).join(' · ')
const reasonOf = ({ skip_reason: skipped, status, session }: RecoldItem, t: Words) => {
  if (status === 'ambiguous') return t('item.ambiguous.ask')
  if (skipped !== '') return t(`skip.${skipped}`)
  return session === null || session.reason === '' ? '' : t(`userSession:reason.${session.reason}`, { defaultValue: session.reason })
}

const COLUMNS: Columns<RecoldItem, 'recold'> = [
  column<RecoldItem, 'person'>('person', { width: 220, card: 'title', cell: (row) => personOf(row) || UNKNOWN, csv: personOf }),
  column<RecoldItem, 'item'>('item', {
    whole: true,
    card: 'field',
    cell: ({ status }, t) => <StatusBadge tone={RECOLD_ITEM_STATUS.tones[status]} label={t(`item.${status}`)} />,
    csv: ({ status }, t) => t(`item.${status}`),
  }),
  column<RecoldItem, 'reason'>('reason', { width: 180, card: 'field', cell: (row, t) => reasonOf(row, t) || UNKNOWN, csv: reasonOf }),
  country('country', { card: 'field' }),
  reference('affiliate', { width: 140 }),
  moment('scheduled_at'),
  moment('sent_at', { card: 'field' }),
  reference('product', { width: 140 }),
  column<RecoldItem, 'lead_status'>('lead_status', {
    width: 130,
    cell: ({ session }, t) => (session === null ? UNKNOWN : t(`userSession:status.${session.status}`)),
    csv: ({ session }) => session?.status,
  }),
  column<RecoldItem, 'lead_id'>('lead_id', {
    width: 130,
    cell: ({ lead_id: id }) => (id === null ? UNKNOWN : <CopyText text={id} tail={6} />),
    csv: ({ lead_id: id }) => id,
  }),
  column<RecoldItem, 'call_status'>('call_status', {
    width: 130,
    cell: ({ session }, t) => (session?.call_status ? t(`userSession:call.${session.call_status}`) : UNKNOWN),
    csv: ({ session }) => session?.call_status,
  }),
  text('goal', { width: 110 }),
]

/** What is drawn over the people for the lead that is open. */
export type LeadPanel = (of: { uuid: string; among: readonly string[]; onShow: (uuid: string) => void; onClose: () => void }) => ReactNode

type ItemsProps = { uuid: string; live: RecoldLive; panel: LeadPanel }

/** The people of a distribution, by what became of them. */
export function RecoldItems({ live, ...of }: ItemsProps) {
  const { t } = useTranslation('recold')
  const running = live.status === 'active' || live.status === 'paused'
  return (
    <UrlTabs
      label={t('people')}
      tabs={[
        { id: 'all', label: t('people.all'), content: <Items {...of} running={running} key="all" /> },
        ...RECOLD_ITEM_STATUSES.map((status) => ({
          id: status,
          label: t(`item.${status}`),
          ...(live.counts[status] > 0 && { badge: integer(live.counts[status]) }),
          content: <Items {...of} running={running} key={status} status={status} />,
        })),
      ]}
    />
  )
}

/** `running`: people may still be sent or left out; of one that ended they may only be moved on. */
function Items({ uuid, status, panel, running }: Omit<ItemsProps, 'live'> & { status?: RecoldItemStatus; running: boolean }) {
  const { t } = useTranslation('recold')
  const { t: listed } = useTranslation('leadList')
  const can = useCan()
  const { open, hrefOf, show, close } = usePanelAddress('lead')
  const [moving, setMoving] = useState(false)
  const list = useList(recoldApi.items, {
    path: { uuid },
    name: 'recold-items',
    columns: useColumns('recold', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'scheduled_at', direction: 'asc' },
    ...(status !== undefined && { fixed: { status: [status] } }),
    filters: {
      skip_reason: choiceFilter(
        t('reason'),
        SKIP_REASONS.map((value) => ({ value, label: t(`skip.${value}`) })),
      ),
      country: choiceFilter(t('country'), useCountryOptions()),
    },
    live: true,
  })
  const decide = useSave(recoldApi.decide, {
    invalidate: RECOLD_CHANGED,
    onSuccess: ({ changed: count }) => {
      list.select(new Set())
      notify.success(t('decided', { count, number: integer(count) }))
    },
  })
  const button = (action: 'retry' | 'skip' | 'cancel') => (
    <Button
      size="compact-sm"
      variant="light"
      {...(action === 'cancel' && { color: 'red' })}
      loading={decide.isPending}
      onClick={() => decide.mutate({ params: { uuid }, body: { uuids: [...list.selection], action } })}
    >
      {t(`decide.${action}`)}
    </Button>
  )
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t('people')}
        empty={{ icon: <IconUsers size={26} stroke={1.6} aria-hidden />, title: t('people.empty'), text: t('people.emptyText') }}
        rowHref={({ session }) => (session === null ? undefined : hrefOf(session.uuid))}
        rowActions={undefined}
        bulkActions={
          can('cold.write') && (
            <>
              {running && (
                <>
                  {button('retry')}
                  {button('skip')}
                  {button('cancel')}
                </>
              )}
              <Button size="compact-sm" variant="light" onClick={() => setMoving(true)}>
                {listed('move.title')}
              </Button>
            </>
          )
        }
        exportName="re-cold-people"
      />
      {moving && (
        <MovePeople
          endpoint={recoldApi.move}
          inputFor={(to_uuid) => ({ params: { uuid }, body: { to_uuid, uuids: [...list.selection] } })}
          told={({ moved, there, left, cancelled }) =>
            t('moved', { moved: integer(moved), there: integer(there), left: integer(left), cancelled: integer(cancelled) })
          }
          invalidate={RECOLD_CHANGED}
          onClose={() => setMoving(false)}
          onMoved={() => {
            list.select(new Set())
            setMoving(false)
          }}
        />
      )}
      {open !== null &&
        panel({ uuid: open, among: (list.rows ?? []).flatMap(({ session }) => session?.uuid ?? []), onShow: show, onClose: close })}
    </>
  )
}
