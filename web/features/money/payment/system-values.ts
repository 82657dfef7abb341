import type { PaymentSystem } from '#contract/money/payment.ts'
import { typedNumber } from '#web/kit/fields/typed-number.ts'

/** A payment system as its fields hold it: numbers are text while somebody types, '' = no minimum of its own. */
export type SystemValues = Omit<PaymentSystem, 'days'> & { days: string }

export function systemValues(system: PaymentSystem): SystemValues {
  return { ...system, days: String(system.days) }
}

export function systemBody(values: SystemValues): PaymentSystem {
  const said = values.currencies.flatMap((currency) => {
    const amount = values.minimums[currency] ?? ''
    return amount === '' ? [] : [[currency, amount] as const]
  })
  return { ...values, minimums: Object.fromEntries(said), days: typedNumber(values.days) }
}

/** What another one begins with. */
export function newSystem(taken: readonly string[]): SystemValues {
  let number = 1
  while (taken.includes(`own_${number}`)) number++
  const amounts = { minimums: {}, fee_fixed: '0', fee_percent: '0', days: '0' }
  const fields: PaymentSystem['fields'] = [{ name: '', check: 'text', required: true }]
  return { ...amounts, code: `own_${number}`, kind: 'own', name: '', currencies: [], fee_by: 'network', fields, active: true }
}
