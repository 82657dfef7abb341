import { fieldsOf, paymentSetting, type PaymentSystem } from '#contract/money/payment.ts'
import { maskedOf, readMethod } from '#server/features/money/payment/check.service.ts'
import { insertMethod } from '#server/features/money/payment/payment.queries.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { AFFILIATES } from '../people.ts'
import { ibanOf } from './iban.ts'
import { partyOf } from './tax-data.ts'

const DAY = 86_400_000
/** So many of the demo's list, all of them active, are paid somewhere. */
const PAID = 22
/** The first uses them in this order. */
const OWN = ['sepa', 'paypal', 'bank', 'usdt_trc20', 'wise', 'usdt_erc20', 'capitalist']
/** Where those are paid whose country says nothing, in turn. */
const WORLD = [
  ['paypal', 'wise'],
  ['wise', 'paypal'],
  ['usdt_trc20', 'paypal'],
  ['capitalist', 'wise'],
] as const
/** Where accounts of the SEPA area are. */
const SEPA = new Set('DE PL PT ES CZ FI FR LT IT NL'.split(' '))
const TRON = ['TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8']
/** One of whom the first affiliate brought, who is paid where that one is: staff look whether they are one. */
const SUSPICIOUS = 15

/** Where affiliates are paid: the first has a method of each system there is, the others two or three that suit their country. */
export async function makeMethods(db: Db, now: number, secretKey: string, affiliates: readonly number[]): Promise<void> {
  const { systems } = await getSetting(db, paymentSetting)
  const sealer = openSealer(secretKey, 'payment method')
  await db.transaction().execute(async (trx) => {
    for (const [place, affiliate_id] of affiliates.slice(0, PAID).entries()) {
      const chosen = place === 0 ? OWN : waysOf(place)
      for (const [order, code] of chosen.entries()) {
        const system = systems.find((one) => one.code === code)
        if (system === undefined) continue
        const { kept, errors } = readMethod(system, typedFor(system, place))
        if (Object.keys(errors).length > 0) throw new Error(`the demo cannot be paid by ${code}: ${JSON.stringify(errors)}`)
        const sealed = sealer.seal(JSON.stringify(kept))
        const held = { system: code, sealed, masked: maskedOf(system, kept), locked_until: null }
        // methods are compared by their mark: only the two that are meant to be alike have one
        const row = { affiliate_id, place: order + 1, ...held, ...(place !== 0 && place !== SUSPICIOUS && { mark: Buffer.alloc(0) }) }
        await insertMethod(trx, { ...row, created_at: new Date(now - (40 + place) * DAY) })
      }
    }
  })
}

function waysOf(place: number): readonly string[] {
  const country = AFFILIATES[place]?.country ?? ''
  if (place === SUSPICIOUS) return ['paypal', 'sepa']
  if (country === 'UA') return ['bank', 'usdt_trc20']
  const ways = SEPA.has(country) ? ['sepa', 'paypal'] : (WORLD[place % WORLD.length] ?? [])
  // not everybody can be paid in hryvnias
  return place % 4 === 3 ? ways : [...ways, 'bank']
}

/** What somebody typed, by the kind of field, or where it is a text by its name. */
function typedFor(system: PaymentSystem, place: number): Record<string, string> {
  const { name, town } = partyOf(place)
  const country = AFFILIATES[place]?.country ?? ''
  const account = String(70_440_000_000 + place * 7_919_013)
  const typed: Record<string, string> = {
    email: `payouts@${place === SUSPICIOUS ? 'affiliate' : (AFFILIATES[place]?.email ?? '').split('@')[0]}.example`,
    digits: account,
    iban: country === 'DE' ? ibanOf('DE', `37040044${account.slice(-10)}`) : ibanOf('LT', `35000${account}`),
    tron: TRON[place % TRON.length] ?? '',
    ethereum: '0x52908400098527886E0F7030069857D2E4169EE7',
    capitalist: `U${String(100_651 + place * 37).padStart(7, '0')}`,
    bank: country === 'UA' ? 'Приклад Банк' : 'Example Bank',
    account: country === 'UA' ? ibanOf('UA', `30529900000${account}000`) : account,
    country,
    town,
    holder: name,
  }
  const asked = fieldsOf(system).filter(({ name: field, check }) => typed[check] !== undefined || typed[field] !== undefined)
  return Object.fromEntries(asked.map(({ name: field, check }) => [field, typed[check] ?? typed[field] ?? '']))
}
