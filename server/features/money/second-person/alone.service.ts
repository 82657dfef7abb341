import type { Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Currency } from '#contract/money/amount.ts'
import { givenSince } from './proposed.queries.ts'
import { givenAlone, letOffAlone, type Alone } from './alone.queries.ts'
import { needsFourEyes } from './four-eyes.service.ts'

const DAY = 86_400_000
/** So many times the limit of one affiliate or advertiser a person may give all of them, or say came in from all of them, within a day. */
export const TIMES = 3n

/** What one person has let go alone within a day, to whichever affiliates. Whoever books more of it holds `lockAlone`. */
export async function aloneToday(trx: Trx, at: Date, actorId: number, exceptFeeOf: number | null = null): Promise<Alone[]> {
  return givenAlone(trx, { actorId, since: new Date(at.getTime() - DAY), exceptFeeOf })
}

/**
 * Whether a gift takes a second person: with what the same person alone gave this affiliate within a day (`besides`) it reaches the limit,
 * or with all they gave and let go to whichever affiliates and advertisers three times as much. Whoever books it holds `lockAlone`; whoever only
 * asks, as the judge of proposals does, keeps nobody waiting.
 */
export async function givesTooMuch(
  trx: Trx,
  at: Date,
  actorId: number,
  gift: { amount: string; currency: Currency; besides: readonly { amount: string; currency: Currency }[] },
): Promise<boolean> {
  const now = at.getTime()
  const asked = { ...gift, permission: 'billing.approve', actorId } as const
  const gone = await aloneToday(trx, at, actorId)
  if (await needsFourEyes(trx, now, asked)) return true
  const given = await givenSince(trx, { affiliateId: null, actorId, since: new Date(now - DAY) })
  const off = await letOffAlone(trx, { advertiserId: null, actorId, since: new Date(now - DAY) })
  return needsFourEyes(trx, now, { ...asked, besides: [...given, ...gone, ...off], times: TIMES })
}

/** What one person alone let an advertiser off within a day. Whoever books more of it holds `lockAlone`. */
export function letOffToday(trx: Trx, at: Date, actorId: number, advertiserId: number) {
  return letOffAlone(trx, { advertiserId, actorId, since: new Date(at.getTime() - DAY) })
}

/**
 * Lets what one person does alone come one after the other, so that it adds up: of two at once the second waits, and counts the first.
 * Whoever asks holds all other names it locks, and no account of the books yet.
 */
export function lockAlone(trx: Trx, actorId: number): Promise<void> {
  return lockName(trx, `alone ${actorId}`)
}
