import type { z } from 'zod'
import { referralSetting, type referralApi, type REFERRAL_STATES } from '#contract/people/referral.ts'
import { href } from '#contract/screens.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { PanelAddress } from '#server/features/network/domain/address.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { findReferrer, getCodes, insertReferral, listBrought, storeCode } from './referral.queries.ts'

type Parts = { db: Db; now: number; panel: PanelAddress }
/** What the codes that are made look like: nobody chooses one of these. */
const MADE = /^[0-9a-f]{12}$/
const CODE = /^[a-z0-9]{4,20}$/

/** The own code and link of an affiliate, and for what share it brings others. */
export async function readOwnReferral(
  { db, panel }: Pick<Parts, 'db' | 'panel'>,
  actor: Actor,
): Promise<z.input<typeof referralApi.own.response>> {
  const [codes, settings, address] = await Promise.all([ownCodes(db, actor), getSetting(db, referralSetting), panel(db)])
  const code = codes.chosen_code ?? codes.referral_code
  const { on, percent, months, tags } = settings
  const for_them = on && (tags.length === 0 || tags.some((tag) => codes.tags.includes(tag)))
  return { code, link: linkOf(address, code), may_choose: codes.chosen_code === null, terms: for_them ? { percent, months } : null }
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
  const { rows, list } = await listBrought(db, affiliateOf(actor), filters)
  return {
    list: list.map(({ letter, country, status, percent, months, created_at }) => {
      const day = Temporal.Instant.fromEpochMilliseconds(created_at.getTime()).toZonedDateTimeISO(actor.timeZone).toPlainDate()
      const state = stateOf(status)
      return { letter, country, state, percent, month: monthOf(day), until: monthOf(day.add({ months })) }
    }),
    summary: { rows },
  }
}

/** Keeps who brought somebody who signs up, and on which terms: those of this moment. A code that is nobody's brings nothing. */
export async function attachReferrer(trx: Trx, now: number, affiliateId: number, ref: string): Promise<void> {
  const code = ref.trim().toLowerCase()
  if (!CODE.test(code)) return
  const { on, percent, months, tags } = await getSetting(trx, referralSetting)
  if (!on) return
  const referrer = await findReferrer(trx, code, tags)
  if (referrer === undefined || referrer.id === affiliateId) return
  await insertReferral(trx, { affiliate_id: affiliateId, referrer_id: referrer.id, code, percent, months, created_at: new Date(now) })
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
