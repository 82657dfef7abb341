import type { z } from 'zod'
import { amountText } from '#contract/money/amount.ts'
import { referralSetting, type referralApi, type REFERRAL_STATES } from '#contract/people/referral.ts'
import { href } from '#contract/screens.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { PanelAddress } from '#server/features/network/domain/address.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { listEarned, sumOwn } from './earned.queries.ts'
import { findReferrer, getCodes, insertReferrals, listAbove, listBrought, storeCode } from './referral.queries.ts'
import { visitsOf } from './visit.service.ts'
import { lastMonthOf } from './terms.ts'

type Parts = { db: Db; now: number; panel: PanelAddress }
/** What the codes that are made look like: nobody chooses one of these. */
const MADE = /^[0-9a-f]{12}$/
const CODE = /^[a-z0-9]{4,20}$/

/** The own code and link of an affiliate, and for what share it brings others. */
export async function readOwnReferral({ db, now, panel }: Parts, actor: Actor): Promise<z.input<typeof referralApi.own.response>> {
  const [codes, settings, address, sums, visits] = await Promise.all([
    ownCodes(db, actor),
    getSetting(db, referralSetting),
    panel(db),
    sumOwn(db, affiliateOf(actor)),
    visitsOf(db, now, affiliateOf(actor)),
  ])
  const code = codes.chosen_code ?? codes.referral_code
  const { on, percent, percent2, percent3, months, tags } = settings
  const deeper = [percent2, ...(Number(percent3) > 0 ? [percent3] : [])]
  const shares = { percent, deeper: Number(percent2) > 0 || deeper.length > 1 ? deeper : [], months }
  const for_them = on && (tags.length === 0 || tags.some((tag) => codes.tags.includes(tag)))
  return {
    code,
    link: linkOf(address, code),
    may_choose: codes.chosen_code === null,
    terms: for_them ? shares : null,
    visits,
    signed_up: sums.signed_up,
    active: sums.active,
    sums: sums.sums.map(({ currency, earned, invoiced }) => ({ currency, earned: amountText(earned), invoiced: amountText(invoiced) })),
  }
}

/** Chooses a code, once; the same again is no other choice. Throws `invalid_input` at the code. */
export async function chooseCode({ db, now, panel }: Parts, actor: Actor, code: string): Promise<{ code: string; link: string }> {
  if (MADE.test(code)) throw refused('Codes of twelve digits and letters up to f are made by the network: choose another')
  await db.transaction().execute(async (trx) => {
    await lockName(trx, `referral code ${code}`)
    const { id, chosen_code } = await ownCodes(trx, actor, true)
    if (chosen_code === code) return
    if (chosen_code !== null) throw refused('You have chosen your code already')
    if (!(await storeCode(trx, id, code))) throw refused('Somebody else has this code')
    await recordAudit(trx, actor, now, { action: 'choose_code', entity: 'affiliate', entityId: id, after: { referral_code: code } })
  })
  return { code, link: linkOf(await panel(db), code) }
}

/** Whom an affiliate brought, so that it knows them again and nobody else does. */
export async function listOwnBrought(
  db: Db,
  actor: Actor,
  filters: z.output<typeof referralApi.brought.body>,
): Promise<z.input<typeof referralApi.brought.response>> {
  const [{ rows, list }, { time_zone: zone }] = await Promise.all([listBrought(db, affiliateOf(actor), filters), getGeneralSettings(db)])
  return {
    list: list.map(({ letter, country, status, percent, months, created_at, state: decided, earned }) => {
      const day = Temporal.Instant.fromEpochMilliseconds(created_at.getTime()).toZonedDateTimeISO(actor.timeZone).toPlainDate()
      const state = stateOf(status)
      const sums = earned.map(({ currency, amount }) => ({ currency, amount: amountText(amount) }))
      const terms = { percent, month: monthOf(day), until: lastMonthOf({ created_at, months }, zone) }
      return { letter, country, state, ...terms, paid: PAID[decided], earned: sums }
    }),
    summary: { rows },
  }
}

const PAID = { clear: 'yes', released: 'yes', held: 'review', refused: 'no' } as const

/** What an affiliate earned by bringing others. */
export async function showEarned(
  db: Db,
  actor: Actor,
  filters: z.output<typeof referralApi.earned.body>,
): Promise<z.input<typeof referralApi.earned.response>> {
  const { rows, list } = await listEarned(db, affiliateOf(actor), filters)
  return { list: list.map((row) => ({ ...row, amount: amountText(row.amount), invoiced: amountText(row.invoiced) })), summary: { rows } }
}

/**
 * Keeps who brought somebody who signs up, who brought that one in turn, up to three levels, and on which terms: those of this moment.
 * A code that is nobody's brings nothing.
 */
export async function attachReferrer(trx: Trx, now: number, affiliateId: number, ref: string): Promise<void> {
  const code = ref.trim().toLowerCase()
  if (!CODE.test(code)) return
  const { on, percent, percent2, percent3, months, tags } = await getSetting(trx, referralSetting)
  if (!on) return
  const referrer = await findReferrer(trx, code, tags)
  if (referrer === undefined || referrer.id === affiliateId) return
  const uppers = await listAbove(trx, referrer.id, 2)
  const row = { affiliate_id: affiliateId, code, months, created_at: new Date(now) }
  const above = [percent2, percent3].flatMap((share, place) => ({ share, level: place + 2, one: uppers[place] }))
  await insertReferrals(trx, [
    { ...row, referrer_id: referrer.id, percent, level: 1 },
    ...above.flatMap(({ share, level, one }) =>
      one !== undefined && Number(share) > 0 && (tags.length === 0 || tags.some((tag) => one.tags.includes(tag)))
        ? [{ ...row, referrer_id: one.id, percent: share, level }]
        : [],
    ),
  ])
}

async function ownCodes(db: Db | Trx, actor: Actor, lock = false) {
  const codes = await getCodes(db, affiliateOf(actor), lock)
  if (codes === undefined) throw new AppError('not_found')
  return codes
}

function refused(code: string): AppError {
  return new AppError('invalid_input', { fields: { code } })
}

function linkOf(address: string, code: string): string {
  return `${address}${href('signup')}?ref=${code}`
}

function monthOf(day: Temporal.PlainDate): string {
  return day.toPlainYearMonth().toString()
}

function stateOf(status: string): (typeof REFERRAL_STATES)[number] {
  if (status === 'active') return 'active'
  return status === 'unverified' || status === 'moderation' ? 'waiting' : 'ended'
}
