import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { ACCOUNT_KINDS } from '#contract/money/account.ts'
import { ledgerApi, type trialRow } from '#contract/money/ledger.ts'
import { useConstants } from '#web/api/constants.ts'
import { money } from '#web/format.ts'
import { StoredTrial } from '#web/features/money/ledger/stored-trial.tsx'
import { column, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Money } from '#web/kit/show/money.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { todayIn } from '#web/zone-time.ts'

type Row = z.output<typeof trialRow>
/** So many months can be chosen. */
const MONTHS = 36

const COLUMNS: Columns<Row, 'ledger'> = [
  column<Row, 'account'>('account', {
    width: 190,
    card: 'title',
    cell: (row, t) => t(`account.${row.kind}`),
    csv: (row) => row.kind,
  }),
  column<Row, 'owner'>('owner', {
    width: 170,
    card: 'field',
    cell: (row, t) => row.owner?.name ?? t('network'),
    csv: (row) => row.owner?.name,
  }),
  text('currency', { width: 80 }),
  amount('opening'),
  amount('debits'),
  amount('credits'),
  amount('closing'),
]

/** Every account that held or moved something in a month: what it held before, its debits and credits, and what it holds after. */
export function TrialList() {
  const { t } = useTranslation('ledger')
  const { currency } = useConstants()
  const months = lastMonths(todayIn(useZone()))
  const list = useList(ledgerApi.trial, {
    name: 'trial',
    columns: useColumns('ledger', COLUMNS),
    rowKey: (row) => String(row.id),
    sort: { column: 'account', direction: 'asc' },
    otherKeys: ['view'],
    filters: {
      search: searchFilter(t('search')),
      month: choiceFilter(
        t('month'),
        months.map((value) => ({ value, label: value })),
        false,
      ),
      kind: choiceFilter(
        t('account'),
        ACCOUNT_KINDS.map((value) => ({ value, label: t(`account.${value}`) })),
      ),
      currency: choiceFilter(t('currency', { ns: 'common' }), currency),
    },
  })
  const chosen = list.url.filters['month']?.[0] ?? months[0] ?? ''
  return (
    <Stack gap="xs">
      <StoredTrial month={chosen} />
      <ListPage
        inner
        list={list}
        title={t('trial')}
        empty={{ title: t('trial.empty'), text: t('trial.emptyText') }}
        rowHref={undefined}
        rowActions={undefined}
        exportName={`trial-balance-${chosen}`}
        totalsText={({ amounts }) =>
          (amounts as { currency: string; debits: string }[]) // the contract's totals
            .map((one) => t('trial.sums', { debits: money(one.debits, one.currency) }))
            .join(' · ')
        }
      />
    </Stack>
  )
}

function amount<Id extends 'opening' | 'debits' | 'credits' | 'closing'>(id: Id) {
  return column<Row, Id>(id, {
    numeric: true,
    ...(id !== 'opening' && { card: 'field' }),
    cell: (row) => <Money amount={row[id]} currency={row.currency} exact />,
    csv: (row) => row[id],
  })
}

function lastMonths(today: string): string[] {
  const [year = 0, month = 0] = today.split('-').map(Number)
  return Array.from({ length: MONTHS }, (_one, ago) => {
    const all = year * 12 + month - 1 - ago
    return `${Math.floor(all / 12)}-${String((all % 12) + 1).padStart(2, '0')}`
  })
}
