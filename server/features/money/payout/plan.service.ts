import type { z } from 'zod'
import { addAmounts, fromUnits, toUnits } from '#contract/money/amount.ts'
import { paymentSetting, type PaymentSystem } from '#contract/money/payment.ts'
import type { Payee, payoutApi, PayoutFormat } from '#contract/money/payout.ts'
import { readMethod } from '#server/features/money/payment/check.service.ts'
import { debtsOf } from '#server/features/money/invoice/debt.queries.ts'
import { lackDocument } from '#server/features/money/invoice/objection/due-document.service.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { roundedTo, shareOf } from '#server/features/money/invoice/posting.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { nameInSepa } from './format/sepa.ts'
import { FORMATS, refusedBy } from './format/tables.ts'
import { listDue, listNotTaken, type DueRow } from './plan.queries.ts'

export type Asked = Pick<
  z.output<typeof payoutApi.preview.body>,
  'format' | 'currency' | 'due_to' | 'systems' | 'invoice_uuids' | 'owing_uuids'
> & {
  affiliateUuids: readonly string[]
}
export type Secret = { secretKey: string | null; now: number }

/** What one affiliate would be paid by one method, or why not. */
export type Planned = Pick<Payee, 'left_out' | 'told' | 'owed'> & {
  rows: [DueRow, ...DueRow[]]
  system: PaymentSystem
  amount: string
  charged: string
}

/** Who a file would pay, by affiliate. Throws `invalid_input` where the format pays nothing of what is asked. */
export async function planPayouts(db: DbOrTrx, secret: Secret, asked: Asked): Promise<Planned[]> {
  return (await planDue(db, secret, asked)).planned
}

/** The same, and whether more is due than one file looks at. */
export async function planDue(db: DbOrTrx, secret: Secret, asked: Asked): Promise<{ planned: Planned[]; more: boolean }> {
  const systems = await systemsOf(db, asked)
  const { due, more } = await listDue(db, { ...lookedAt(asked, systems), affiliateUuids: asked.affiliateUuids })
  const lacking = await lackDocument(db, due)
  const decimals = await decimalsOf(db, asked.currency)
  const debts = await debtsOf(db, asked.currency, [...new Set(due.map(({ affiliate_id }) => affiliate_id))])
  const owing = new Set(asked.owing_uuids)
  let taken = 0
  const planned = [...Map.groupBy(due, (row) => `${row.affiliate_id} ${row.system} ${lacking.has(row.id)}`).values()].flatMap(
    (rows): Planned[] => {
      const [first, ...others] = rows
      const system = systems.get(first?.system ?? '')
      if (first === undefined || system === undefined) return []
      const amount = addAmounts(...rows.map(({ open }) => open))
      const charged = chargedOf(system, amount, decimals)
      const checked = checkPayee(first, { secret, system, format: asked.format, amount: withDecimals(amount, charged, decimals) })
      if (lacking.has(first.id))
        return [{ left_out: 'no_own_invoice' as const, told: '', owed: null, rows: [first, ...others], system, amount, charged }]
      const isDear = checked.left_out === null && toUnits(charged) >= toUnits(amount)
      const isPayable = checked.left_out === null && !isDear
      const debt = isPayable ? debts.get(first.affiliate_id) : undefined
      const isBeyond = debt !== undefined && debt.payable < toUnits(amount)
      const owes = isBeyond && !owing.has(first.uuid)
      // by another method of theirs no more than is left
      if (debt !== undefined && !owes) debts.set(first.affiliate_id, { ...debt, payable: debt.payable - toUnits(amount) })
      const isMuch = isPayable && !owes && ++taken > FORMATS[asked.format].most
      return [
        {
          ...checked,
          owed: isBeyond ? fromUnits(debt.owed) : null,
          ...(isDear && { left_out: 'fee_too_high' as const }),
          ...(owes && { left_out: 'owes' as const }),
          ...(isMuch && { left_out: 'too_many' as const }),
          rows: [first, ...others],
          system,
          amount,
          charged,
        },
      ]
    },
  )
  return { planned, more }
}

/** Of the invoices that were chosen those a file of this kind does not look at, with the first reason of each. */
export async function planNotTaken(db: DbOrTrx, asked: Asked) {
  return listNotTaken(db, lookedAt(asked, await systemsOf(db, asked)))
}

function lookedAt(asked: Asked, systems: ReadonlyMap<string, PaymentSystem>) {
  return { currency: asked.currency, systems: [...systems.keys()], dueTo: asked.due_to, invoiceUuids: asked.invoice_uuids }
}

/** What leaves: the amount less what is kept back for the fee, with as many decimals as the currency has. */
export function withDecimals(amount: string, charged: string, decimals: number): string {
  const units = toUnits(amount) - toUnits(charged)
  const [whole = '0', fraction = ''] = fromUnits(units < 0n ? 0n : units).split('.')
  const exact = fraction.replace(/0+$/, '')
  const shown = exact.padEnd(decimals, '0')
  return shown === '' ? whole : `${whole}.${shown}`
}

/** What a method holds, opened. */
export function openHeld(sealed: Buffer, { secretKey }: Pick<Secret, 'secretKey'>): Record<string, string> {
  return JSON.parse(openSealer(secretKey, 'payment method').open(sealed)) as Record<string, string> // as `saveMethod` sealed it
}

/** Whether somebody can be paid to now, and by this format. */
export function checkPayee(
  row: { status: string; sealed: Buffer | null; locked_until: Date | null; name: string },
  asked: { secret: Secret; system: PaymentSystem; format: PayoutFormat; amount: string },
): Pick<Payee, 'left_out' | 'told'> {
  if (row.status === 'banned') return { left_out: 'not_active', told: '' }
  if (row.sealed === null) return { left_out: 'no_method', told: '' }
  if (row.locked_until !== null && row.locked_until.getTime() > asked.secret.now)
    return { left_out: 'method_locked', told: row.locked_until.toISOString() }
  const fields = openHeld(row.sealed, asked.secret)
  const [mistake] = Object.values(readMethod(asked.system, fields).errors)
  const refused = mistake ?? refusedBy(asked.format, { fields, amount: asked.amount, affiliate: row.name })
  if (refused !== '') return { left_out: 'method_invalid', told: refused }
  const holder = fields['holder'] ?? ''
  const changed = asked.format === 'sepa' && nameInSepa(holder) !== holder ? nameInSepa(holder) : ''
  return { left_out: null, told: changed }
}

/** The systems a format pays in a currency, by code. */
async function systemsOf(db: DbOrTrx, { format, currency, systems }: Asked): Promise<Map<string, PaymentSystem>> {
  const refuse = (field: string, text: string) => {
    throw new AppError('invalid_input', { fields: { [field]: text } })
  }
  const { kinds } = FORMATS[format]
  if (format === 'sepa' && currency !== 'EUR') refuse('currency', 'SEPA moves euros only')
  const all = (await getSetting(db, paymentSetting)).systems.filter(
    (one) => one.active && one.currencies.includes(currency) && (kinds === null || kinds.includes(one.kind)),
  )
  const chosen = systems.length === 0 ? all : all.filter(({ code }) => systems.includes(code))
  if (chosen.length < systems.length || chosen.length === 0) refuse('systems', 'No payment system of this format takes the currency')
  if ((format === 'usdt' || format === 'coinspaid') && new Set(chosen.map(({ kind }) => kind)).size > 1)
    refuse('systems', 'Choose one network: a list goes to one')
  return new Map(chosen.map((one) => [one.code, one]))
}

/** What is kept back where the affiliate bears the fee. */
function chargedOf({ fee_by, fee_fixed, fee_percent }: PaymentSystem, amount: string, decimals: number): string {
  if (fee_by === 'network') return '0.0000'
  return fromUnits(roundedTo(decimals, toUnits(fee_fixed)) + shareOf(toUnits(amount), toUnits(fee_percent), decimals))
}
