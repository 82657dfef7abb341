import { IconUsers } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PROPOSAL_STATES, proposalApi, type ProposalRow } from '#contract/money/proposal.ts'
import { UNKNOWN } from '#web/format.ts'
import { PROPOSAL_STATE } from '#web/features/money/invoice/payout/payout-words.ts'
import { RowButtons } from '#web/features/money/invoice/payout/row-buttons.tsx'
import { noteOf, useProposals } from '#web/features/money/invoice/payout/use-proposals.tsx'
import { column, moment, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Money } from '#web/kit/show/money.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { screenHref } from '#web/shell/access.ts'

const COLUMNS: Columns<ProposalRow, 'request'> = [
  column<ProposalRow, 'whose'>('whose', {
    width: 180,
    card: 'title',
    cell: (row, t) => row.whose?.name ?? t('rules.network'),
    csv: (row) => row.whose?.name ?? '',
  }),
  column<ProposalRow, 'proposal.kind'>('proposal.kind', {
    width: 120,
    card: 'field',
    cell: (row, t) => t(`proposal.kind.${row.kind}`),
    csv: (row) => row.kind,
  }),
  column<ProposalRow, 'proposal.amount'>('proposal.amount', {
    numeric: true,
    card: 'field',
    cell: (row) => (row.four_eyes === false ? UNKNOWN : <Money amount={row.amount} currency={row.currency} column />),
    csv: (row) => (row.four_eyes === false ? '' : row.amount),
  }),
  column<ProposalRow, 'state'>('state', {
    whole: true,
    cell: (row) => <Status of={PROPOSAL_STATE} value={row.state} />,
    csv: (row, t) => t(`state.${row.state}`),
  }),
  column<ProposalRow, 'decide'>('decide', { whole: true, card: 'foot', cell: (row) => <Decide of={row} />, csv: null }),
  column<ProposalRow, 'proposal.note'>('proposal.note', { width: 220, card: 'field', cell: noteOf, csv: noteOf }),
  text('made_by', { width: 140, card: 'field' }),
  moment('created_at', { sort: true }),
  column<ProposalRow, 'invoice'>('invoice', {
    width: 130,
    cell: ({ invoice }) => (invoice === null ? UNKNOWN : (invoice.number ?? `#${invoice.id}`)),
    csv: ({ invoice }) => invoice?.number ?? invoice?.id ?? '',
  }),
  text('decided_by', { width: 140, hidden: true }),
  moment('decided_at', { hidden: true }),
  text('reason', { width: 200, hidden: true }),
]

/** What waits for a second person: confirmed it is booked. */
export function ProposalList() {
  const { t } = useTranslation('request')
  const list = useList(proposalApi.list, {
    name: 'proposal',
    columns: useColumns('request', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    otherKeys: ['view'],
    filters: {
      state: choiceFilter(
        t('state'),
        PROPOSAL_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
      ),
    },
  })
  return (
    <ListPage
      inner
      list={list}
      title={t('proposals')}
      empty={{ icon: <IconUsers size={26} stroke={1.6} aria-hidden />, title: t('proposals.none'), text: t('proposals.noneText') }}
      rowHref={hrefOf}
      rowActions={undefined}
      exportName="proposals"
    />
  )
}

function hrefOf({ invoice, whose, side }: ProposalRow): string {
  if (invoice !== null) return screenHref('invoiceDetail', { uuid: invoice.uuid })
  if (whose !== null && side === 'advertiser') return `${screenHref('billing')}?view=advertisers&part=receipts`
  if (whose !== null) return `${screenHref('affiliateEdit', { uuid: whose.uuid })}?tab=money`
  return `${screenHref('billing')}?view=rules`
}

function Decide({ of }: { of: ProposalRow }) {
  const { actionsFor, dialog } = useProposals()
  return (
    <>
      <RowButtons actions={actionsFor(of)} />
      {dialog}
    </>
  )
}
