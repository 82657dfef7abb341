import { paymentSetting } from '#contract/money/payment.ts'
import type { Actor } from '#server/access/actor.ts'
import { maskedOf } from '#server/features/money/payment/check.service.ts'
import { insertMethod } from '#server/features/money/payment/payment.queries.ts'
import { insertRequest, listAvailable } from '#server/features/money/payout-request/payout-request.queries.ts'
import { saveTerms } from '#server/features/money/terms/terms.queries.ts'
import { accrueReferrals } from '#server/features/people/referral/accrue.jobs.ts'
import { inOneTransaction, type Db } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { makeInvoices } from './invoices.ts'

const DAY = 86_400_000
/** Where each is paid first, in turn; by bank where that does not pay a currency. */
const METHODS: readonly (readonly [system: string, values: Record<string, string>])[] = [
  ['paypal', { email: 'payouts@media-plus.example' }],
  ['sepa', { holder: 'Nordlicht Traffic GmbH', iban: 'DE89370400440532013000', town: 'Berlin' }],
  ['usdt_trc20', { address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }],
  ['wise', { holder: 'Vistula Ads', email: 'billing@vistula.example' }],
  ['capitalist', { account: 'U0100651' }],
]
const BANK = { holder: 'The affiliate', bank: 'First Bank', account: 'UA213223130000026007233566001', country: 'Ukraine', town: 'Kyiv' }
const PAID_BY_BANK = ['USD', 'EUR', 'UAH']
/** One of whom the first affiliate brought, who is paid where that one is: staff look whether they are one. */
const SUSPICIOUS = { place: 15, method: ['paypal', { email: 'payouts@partners.example' }] } as const
/** So many ask for a payout. */
const REQUESTS = 2
/** How many are paid by the week, on terms of their own. */
const WEEKLY = 3

type Parts = { secretKey: string; admin: Actor; affiliates: readonly number[] }

/** Where affiliates are paid and by what terms, their invoices, and what two of them ask for. */
export async function makePayouts(db: Db, now: number, { secretKey, admin, affiliates }: Parts): Promise<void> {
  const sealer = openSealer(secretKey, 'payment method')
  await inOneTransaction(db, async (whole) => {
    await whole.transaction().execute(async (trx) => {
      for (const [index, affiliate_id] of affiliates.entries()) {
        const first = index === SUSPICIOUS.place ? SUSPICIOUS.method : METHODS[index % METHODS.length]
        // the first has told its own already
        const bank = { ...BANK, account: `${BANK.account.slice(0, -4)}${1000 + index}` }
        for (const [place, [code, values]] of index === 0 ? [] : [...(first ? [first] : []), ['bank', bank] as const].entries()) {
          const system = paymentSetting.defaults.systems.find((one) => one.code === code)
          if (system === undefined) continue
          const sealed = sealer.seal(JSON.stringify(values))
          const held = { system: code, sealed, masked: maskedOf(system, values), locked_until: null }
          const row = { affiliate_id, place: place + 1, ...held, ...(index !== SUSPICIOUS.place && { mark: Buffer.alloc(0) }) }
          await insertMethod(trx, { ...row, created_at: new Date(now - 40 * DAY) })
        }
        if (index < WEEKLY)
          await saveTerms(trx, {
            affiliate_id,
            schedule: 'weekly',
            net: 7,
            minimums: '{}',
            hold_days: 0,
            makes: 'propose',
            version: 1,
            updated_at: new Date(now - 30 * DAY),
          })
      }
    })
    // before the first of the invoices, so that those of later have the months that ended
    await accrueReferrals(whole, now - 16 * DAY, secretKey)
    await makeInvoices(whole, now, admin)
    await whole.transaction().execute(async (trx) => {
      let asked = 0
      for (const affiliate_id of affiliates) {
        const most = (await listAvailable(trx, affiliate_id)).find(
          ({ currency, available }) => PAID_BY_BANK.includes(currency) && Number(available) >= 100,
        )
        if (most === undefined || asked === REQUESTS) continue
        asked++
        await insertRequest(trx, { affiliate_id, currency: most.currency, amount: most.available, created_at: new Date(now - DAY / 4) })
      }
    })
  })
}
