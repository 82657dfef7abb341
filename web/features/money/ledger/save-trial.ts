import type { Say } from '#web/i18n/use-translation.ts'
import { accountType } from '#contract/money/account.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { toDecimals } from '#contract/money/amount.ts'
import type { ledgerApi, TrialSum } from '#contract/money/ledger.ts'
import { toCsv, type ExportColumn } from '#web/kit/list/export/csv.ts'
import { decimalsOf } from '#web/format.ts'
import { downloadCsv } from '#web/kit/list/export/run-export.ts'
import { sideOf } from './side-money.tsx'

type Column = 'opening' | 'debits' | 'credits' | 'closing'
type Side = 'opening' | 'closing' | 'difference'

type Sums = CallOutput<typeof ledgerApi.trialSums>

/** Hands out the sums of a month as a table. */
export function saveTrial(sums: Sums, shown: 'own' | 'base', t: Say<'ledger'>): void {
  downloadCsv(`trial-balance-${sums.month}${shown === 'base' ? `-${sums.base}` : ''}.csv`, trialCsv(sums, shown, t))
}

/** The sums of a month in their own currencies, or in the base currency with what the rates did. */
export function trialCsv(sums: Sums, shown: 'own' | 'base', t: Say<'ledger'>): string {
  const isBase = shown === 'base'
  const of = (row: TrialSum) => (isBase ? row.base : row)
  const written = alike(sums.list, isBase ? () => sums.base : ({ currency }) => currency, of)
  const moved = (id: Column): ExportColumn<TrialSum> => ({ header: t(id), value: (row) => written(row, of(row)?.[id]), numeric: true })
  /** How much, and beside it on which side. */
  const held = (id: Side): ExportColumn<TrialSum>[] => {
    const amount = (row: TrialSum) => (id === 'difference' ? row.base?.difference : of(row)?.[id])
    return [
      { header: t(id), value: (row) => written(row, amount(row)?.replace('-', '')), numeric: true },
      {
        header: t('side.of', { column: t(id) }),
        value: (row) => {
          const side = sideOf(amount(row) ?? '0')
          return side && t(`side.${side}`)
        },
      },
    ]
  }
  const columns: ExportColumn<TrialSum>[] = [
    { header: t('currency', { ns: 'common' }), value: ({ currency }) => currency },
    { header: t('account'), value: ({ kind }) => t(`account.${kind}`) },
    { header: t('side.normal'), value: ({ kind }) => t(`side.${accountType(kind).side}`) },
    ...(isBase ? [{ header: t('sums.in'), value: () => sums.base }] : []),
    ...held('opening'),
    moved('debits'),
    moved('credits'),
    ...(isBase ? held('difference') : []),
    ...held('closing'),
  ]
  const note = sums.missing.map((one) => `${one.currency} ${one.day}`).join(', ')
  return toCsv(columns, sums.list, isBase && note !== '' ? { note: t('sums.missing', { currencies: note }) } : {})
}

/** A file is exact: where people write fewer decimals, it has as many as the books. */
function decimalsNeeded(amount: string): number {
  return (amount.split('.')[1] ?? '').replace(/0+$/, '').length
}

/** No fewer than people write; of a currency of very many two do. */
function own(currency: string): number {
  const decimals = decimalsOf(currency)
  return decimals > 4 ? 2 : decimals
}

/** Writes the amounts of a currency with the same decimals: as many as the longest needs, never fewer than people write in it. */
function alike(
  list: readonly TrialSum[],
  currencyOf: (row: TrialSum) => string,
  of: (row: TrialSum) => TrialSum['base'] | TrialSum,
): (row: TrialSum, amount: string | undefined) => string | undefined {
  const decimals = new Map(
    [...Map.groupBy(list, currencyOf)].map(([currency, rows]) => {
      const amounts = rows.flatMap((row) => {
        const told = of(row)
        return told === null
          ? []
          : [told.opening, told.debits, told.credits, told.closing, ...('difference' in told ? [told.difference] : [])]
      })
      return [currency, Math.max(own(currency), ...amounts.map(decimalsNeeded))]
    }),
  )
  return (row, amount) => amount && toDecimals(amount, decimals.get(currencyOf(row)) ?? 2)
}
