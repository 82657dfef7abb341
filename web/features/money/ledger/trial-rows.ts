import { ACCOUNT_KINDS, accountType, type AccountKind } from '#contract/money/account.ts'
import { addAmounts } from '#contract/money/amount.ts'
import type { TrialSum } from '#contract/money/ledger.ts'

/** Figures of a line of the trial balance, positive = debit; `difference` only in the base currency. */
export type TrialFigures = { opening: string; debits: string; credits: string; closing: string; difference?: string }
/** A line of a part: an account, or what is none but belongs there. */
export type TrialLine = { kind: AccountKind; figures: TrialFigures }
/** The accounts of one currency, or of all in the base currency; what is not decided yet stands apart. */
export type TrialPart = { currency: string; accounts: TrialLine[]; sum: TrialFigures; memo: TrialLine[]; memoSum: TrialFigures }

const NONE: TrialFigures = { opening: '0', debits: '0', credits: '0', closing: '0' }

/** The sums of a month by currency, in the order of the chart. */
export function byCurrency(list: readonly TrialSum[]): TrialPart[] {
  return [...Map.groupBy(list, ({ currency }) => currency)].map(([currency, rows]) => partOf(currency, rows))
}

/** The same of all currencies in the base currency, without what has no rate. */
export function inBase(list: readonly TrialSum[], base: string): TrialPart {
  return partOf(
    base,
    list.flatMap(({ kind, base: figures }) => (figures === null ? [] : [{ kind, ...figures }])),
  )
}

function partOf(currency: string, rows: readonly (TrialFigures & { kind: AccountKind })[]): TrialPart {
  const lines = ACCOUNT_KINDS.flatMap((kind): TrialLine[] => {
    const those = rows.filter((row) => row.kind === kind)
    return those.length === 0 ? [] : [{ kind, figures: added(those) }]
  })
  const accounts = lines.filter(({ kind }) => accountType(kind).memo === undefined)
  const memo = lines.filter(({ kind }) => accountType(kind).memo === true)
  const sum = (of: readonly TrialLine[]) => added(of.map(({ figures }) => figures))
  return { currency, accounts, sum: sum(accounts), memo, memoSum: sum(memo) }
}

function added(all: readonly TrialFigures[]): TrialFigures {
  const of = (column: 'opening' | 'debits' | 'credits' | 'closing') => addAmounts('0', ...all.map((one) => one[column]))
  const differences = all.flatMap(({ difference }) => difference ?? [])
  return {
    ...NONE,
    opening: of('opening'),
    debits: of('debits'),
    credits: of('credits'),
    closing: of('closing'),
    ...(differences.length > 0 && { difference: addAmounts('0', ...differences) }),
  }
}

/** What the rates of a month did to what is owned and owed; what was earned, spent and brought in holds the other side. */
export function rateDifference({ accounts }: TrialPart): string {
  return addAmounts(
    '0',
    ...accounts.filter(({ kind }) => accountType(kind).result === undefined).map(({ figures }) => figures.difference ?? '0'),
  )
}
