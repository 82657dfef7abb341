import type { TFunction } from 'i18next'
import { accountType } from '#contract/money/account.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { ledgerApi, TrialSum } from '#contract/money/ledger.ts'
import { toCsv, type ExportColumn } from '#web/kit/list/export/csv.ts'
import { downloadCsv } from '#web/kit/list/export/run-export.ts'
import { sideOf } from './side-money.tsx'

type Column = 'opening' | 'debits' | 'credits' | 'closing'
type Side = 'opening' | 'closing' | 'difference'

/** Hands out the sums of a month as a table: in their own currencies, or in the base currency with what the rates did. */
export function saveTrial(sums: CallOutput<typeof ledgerApi.trialSums>, shown: 'own' | 'base', t: TFunction<'ledger'>): void {
  const isBase = shown === 'base'
  const of = (row: TrialSum) => (isBase ? row.base : row)
  const moved = (id: Column): ExportColumn<TrialSum> => ({ header: t(id), value: (row) => of(row)?.[id], numeric: true })
  /** How much, and beside it on which side. */
  const held = (id: Side): ExportColumn<TrialSum>[] => {
    const amount = (row: TrialSum) => (id === 'difference' ? row.base?.difference : of(row)?.[id])
    return [
      { header: t(id), value: (row) => amount(row)?.replace('-', ''), numeric: true },
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
  const csv = toCsv(columns, sums.list, isBase && note !== '' ? { note: t('sums.missing', { currencies: note }) } : {})
  downloadCsv(`trial-balance-${sums.month}${isBase ? `-${sums.base}` : ''}.csv`, csv)
}
