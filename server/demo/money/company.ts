import { billingSetting } from '#contract/money/billing.ts'
import { commissionSetting } from '#contract/money/commission.ts'
import { companySetting } from '#contract/money/document.ts'
import { paymentSetting } from '#contract/money/payment.ts'
import type { Actor } from '#server/access/actor.ts'
import { createSource } from '#server/features/money/payout/source.service.ts'
import { saveSetting } from '#server/features/network/setting/setting.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { ibanOf } from './iban.ts'

/** The company of the demo network as it stands on documents. It is nobody's: the name, the ids and the accounts are made up. */
export const COMPANY = {
  name: 'Ohma Demo sp. z o.o.',
  address: 'ul. Przykładowa 12/4',
  postcode: '00-950',
  town: 'Warszawa',
  country: 'PL',
  vat_id: 'PL5250001009',
  registration: 'KRS 0000123456',
} as const

const AGREEMENT = `We write the invoices for your services in your name and hand them to you in your account (self-billing).

1. You do not write invoices of your own for what we settle this way.
2. You are shown each invoice before it is issued and may object within seven days; silence accepts it.
3. You tell us at once when your name, your address or your VAT number changes.
4. Either side may end this agreement with a month's notice.`

/** From what each system pays; smaller amounts than a new network has, for the demo's affiliates are small. */
const MINIMUMS: Readonly<Record<string, Record<string, string>>> = {
  sepa: { EUR: '20' },
  bank: { USD: '50', EUR: '50', UAH: '400' },
  paypal: { USD: '10', EUR: '10', GBP: '10' },
  wise: { USD: '20', EUR: '20', GBP: '20', JPY: '2000' },
  usdt_trc20: { USD: '50', USDT: '20' },
  usdt_erc20: { USD: '200' },
  capitalist: { USD: '20', EUR: '20' },
}
/** Above it somebody else approves, releases or confirms, in the base currency. */
const FOUR_EYES_LIMIT = '150'

/** Where payments leave from, by what the demo calls them. */
export type Sources = { eur: number; paypal: number; usdt: number }

/** Who the network is on paper, by what it pays and from where, and who has to agree. */
export async function makeCompany(db: Db, at: number, admin: Actor): Promise<Sources> {
  await saveSetting(db, at, admin, companySetting, {
    ...companySetting.defaults,
    ...COMPANY,
    language: 'both',
    self_billing: true,
    act_post: 'Prezes zarządu',
    act_name: 'Anna Kowalska',
    agreement: AGREEMENT,
    payment_details: `Bank: Example Bank S.A.\nIBAN: ${ibanOf('PL', '109010140000071219812874')}\nBIC: EXMPPLPW`,
    version: 0,
  })
  const { systems, ...terms } = paymentSetting.defaults
  const own = systems.map((system) => {
    const minimums = MINIMUMS[system.code] ?? system.minimums
    const currencies = Object.keys(minimums)
    // what the system charges is kept back from whoever chose it
    return { ...system, minimums, currencies, ...(system.code.startsWith('usdt') && { fee_fixed: '1', fee_by: 'affiliate' as const }) }
  })
  await saveSetting(db, at, admin, paymentSetting, { ...terms, systems: own, version: 0 })
  await saveSetting(db, at, admin, billingSetting, {
    ...billingSetting.defaults,
    four_eyes: true,
    four_eyes_limit: FOUR_EYES_LIMIT,
    own_invoice: true,
    version: 0,
  })
  await saveSetting(db, at, admin, commissionSetting, { on: true, basis: 'profit', percent: '5', version: 0 })
  const blank = { holder: '', iban: '', bic: '', currency: null, decimal_sign: '.' as const, active: true }
  const holder = 'Ohma Demo sp. z o.o.'
  const eur = await createSource(db, at, admin, {
    ...blank,
    name: 'Example Bank, EUR',
    kind: 'bank',
    holder,
    iban: ibanOf('PL', '109010140000071219812874'),
    currency: 'EUR',
  })
  const paypal = await createSource(db, at, admin, { ...blank, name: 'PayPal, USD', kind: 'paypal', currency: 'USD' })
  const usdt = await createSource(db, at, admin, { ...blank, name: 'USDT wallet', kind: 'crypto', currency: 'USDT' })
  return { eur: eur.id, paypal: paypal.id, usdt: usdt.id }
}
