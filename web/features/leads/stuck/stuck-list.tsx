import { IconMessageExclamation } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { STUCK_KINDS, STUCK_STATES, stuckApi, type Stuck } from '#contract/leads/stuck.ts'
import { StuckPanel } from '#web/features/leads/stuck/stuck-panel.tsx'
import { reasonOf } from '#web/features/leads/stuck/stuck-words.ts'
import { UNKNOWN } from '#web/format.ts'
import { choice, column, count, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { statusLook } from '#web/kit/status/status-look.ts'
import type english from './stuck.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    stuck: typeof english
  }
}

const STUCK_STATE = statusLook({
  field: 'state',
  texts: 'stuck',
  values: STUCK_STATES,
  tones: { open: 'waiting', settled: 'good', dismissed: 'muted' },
})

const COLUMNS: Columns<Stuck, 'stuck'> = [
  column<Stuck, 'reason'>('reason', {
    sort: true,
    width: 300,
    card: 'title',
    cell: ({ reason }, t) => reasonOf(reason, t),
    csv: ({ reason }) => reason,
  }),
  choice('kind', STUCK_KINDS, { width: 130, card: 'field' }),
  reference('advertiser', { width: 170, card: 'field' }),
  reference('product', { width: 170 }),
  column<Stuck, 'lead'>('lead', {
    width: 130,
    card: 'field',
    cell: ({ lead, lead_ref: theirs }) => lead?.id ?? (theirs || UNKNOWN),
    csv: ({ lead, lead_ref: theirs }) => lead?.id ?? theirs,
  }),
  text('raw', { width: 140, card: 'field' }),
  text('amount', { width: 110 }),
  text('transaction', { width: 140, hidden: true }),
  count('seen', { sort: true }),
  status(STUCK_STATE),
  moment('first_seen_at', { sort: true }),
  moment('last_seen_at', { sort: true }),
]

/** What advertisers said of leads and nothing could be made of: looked at, done anew for a lead, or put aside. */
export function StuckList() {
  const { t } = useTranslation('stuck')
  const list = useList(stuckApi.list, {
    name: 'stuck',
    columns: useColumns('stuck', COLUMNS),
    rowKey: ({ uuid }) => uuid,
    sort: { column: 'first_seen_at', direction: 'asc' },
    filters: {
      search: searchFilter(t('search')),
      state: choiceFilter(
        t('state'),
        STUCK_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
      ),
      kind: choiceFilter(
        t('kind'),
        STUCK_KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
      ),
    },
    otherKeys: ['tab', 'stuck'],
  })
  const { open, hrefOf, show, close } = usePanelAddress('stuck')
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t('title')}
        empty={{ icon: <IconMessageExclamation size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text') }}
        rowHref={({ uuid }) => hrefOf(uuid)}
        rowActions={undefined}
        exportName="stuck"
      />
      {open !== null && <StuckPanel uuid={open} among={(list.rows ?? []).map(({ uuid }) => uuid)} onShow={show} onClose={close} />}
    </>
  )
}
