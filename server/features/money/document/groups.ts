import { addAmounts, fromUnits, MONEY_SCALE, toUnits } from '#contract/money/amount.ts'
import type { DocumentLanguage } from '#contract/money/document.ts'
import { printedMonth } from './print-text.ts'
import type { PrintedGroup } from '#server/rules/printed.ts'
import { roundedShares } from './share.ts'
import { said } from './words.ts'

/** More groups than this are summed up in a last one. */
export const MOST_GROUPS = 300

/** What stands on an invoice, put together by what it is. */
export type GroupRow = {
  kind: 'conversion' | 'correction' | 'credit' | 'bonus' | 'adjustment' | 'discount' | 'minimum' | 'fee' | 'referral'
  offer: string
  goal: string
  /** Of a correction the invoice its conversion was on first; of referrals their month, of what else stands beside conversions what it is for. */
  about: string
  quantity: number
  price: string | null
  amount: string
}

/** The groups as they are printed, with amounts rounded so that they add up to the net. */
export function printedGroups(
  rows: readonly GroupRow[],
  { net, decimals }: { net: string; decimals: number },
  language: DocumentLanguage,
): PrintedGroup[] {
  const all: PrintedGroup[] = rows.slice(0, MOST_GROUPS).map((row) => ({
    description: describe(row, language),
    quantity: COUNTED.has(row.kind) ? row.quantity : null,
    price: row.kind === 'conversion' ? row.price : null,
    amount: row.amount,
  }))
  if (rows.length > MOST_GROUPS) {
    const rest = toUnits(net) - toUnits(addAmounts(...all.map(({ amount }) => amount)))
    all.push({ description: said('others', language), quantity: null, price: null, amount: fromUnits(rest) })
  }
  const unit = 10n ** BigInt(MONEY_SCALE - decimals)
  const rounded = roundedShares(
    all.map(({ amount }) => toUnits(amount)),
    toUnits(net),
    unit,
  )
  return all.map((group, at) => ({ ...group, amount: fromUnits(rounded[at] ?? 0n) }))
}

const COUNTED: ReadonlySet<GroupRow['kind']> = new Set(['conversion', 'correction', 'credit'])

function describe({ kind, offer, goal, about }: GroupRow, language: DocumentLanguage): string {
  const thing = [offer, goal].filter(Boolean).join(' · ')
  if (kind === 'conversion' || kind === 'credit') return thing
  if (kind === 'correction') return `${said('corrected', language)}${about === '' ? '' : ` ${about}`}: ${thing}`
  if (kind === 'referral') return `${said('referral', language)}: ${printedMonth(about, language)}`
  return `${said(kind === 'adjustment' ? 'correction' : kind, language)}: ${about}`
}
