import { fieldsOf, paymentSetting, type PaymentSystem } from '#contract/money/payment.ts'
import type { Currency } from '#contract/money/amount.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { readMethod } from './check.service.ts'
import { methodOf } from './payment.queries.ts'

type Asked = { affiliateId: number; system: string; currency: Currency }

/**
 * Refuses to pay to a method that was changed a short while ago (`method_locked`), or that cannot be paid to (`method_invalid`): its
 * system is offered no longer or takes another currency, or what it holds is wrong. An affiliate who never gave one of this system
 * has told somebody where to pay, who books it by hand.
 */
export async function refuseUnpayable(
  db: DbOrTrx,
  { secretKey, now }: { secretKey: string | null; now: number },
  { affiliateId, system: code, currency }: Asked,
): Promise<void> {
  const method = await methodOf(db, affiliateId, code)
  if (method === undefined) return
  if (method.locked_until !== null && method.locked_until.getTime() > now)
    throw new AppError('method_locked', { values: { time: method.locked_until.toISOString() } })
  const system = (await getSetting(db, paymentSetting)).systems.find((one) => one.code === code)
  const wrong = system === undefined || !system.active ? ['Payment system', 'it is not offered'] : mistakeOf(system)
  if (wrong !== undefined) throw new AppError('method_invalid', { values: { field: wrong[0] ?? '', reason: wrong[1] ?? '' } })

  function mistakeOf(its: PaymentSystem): [string, string] | undefined {
    if (!its.currencies.includes(currency)) return ['Currency', `${its.name} does not pay ${currency}`]
    if (secretKey === null) return undefined
    const held: unknown = JSON.parse(openSealer(secretKey, 'payment method').open(method?.sealed ?? Buffer.alloc(0)))
    const { errors } = readMethod(its, held as Record<string, string>) // as `saveMethod` sealed it
    const name = fieldsOf(its).find((field) => `values.${field.name}` in errors)?.name ?? Object.keys(errors)[0]?.slice('values.'.length)
    return name === undefined ? undefined : [name, errors[`values.${name}`] ?? '']
  }
}
