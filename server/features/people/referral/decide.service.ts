import type { z } from 'zod'
import { amountText } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { referralApi, REFERRAL_CAUSES } from '#contract/people/referral.ts'
import type { Actor } from '#server/access/actor.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { getAffiliate } from '../affiliate/affiliate.queries.ts'
import { accrueReferral } from './accrue.service.ts'
import { findReferral, listBroughtBy, listReferrals, lockByUuid, storeDecision, type ReferralRow } from './earned.queries.ts'
import { findBroughtBy, type Amounts } from './referral.queries.ts'
import { lastMonthOf } from './terms.ts'

type Row = CallOutput<typeof referralApi.decide>

/** Who brought whom. */
export async function showReferrals(db: Db, filters: z.output<typeof referralApi.list.body>): Promise<CallOutput<typeof referralApi.list>> {
  const { rows, list } = await listReferrals(db, filters)
  const { time_zone } = await getGeneralSettings(db)
  return { list: list.map((row) => present(row, time_zone)), summary: { rows } }
}

/**
 * Releases what is kept back of a referral, or refuses it, and books what follows at once. The same again changes nothing; the other one is
 * a new decision. Throws `not_found`, `status_not_allowed` for one that nothing was suspicious about, `invalid_input` without a reason to refuse.
 */
export async function decideReferral(
  db: Db,
  now: number,
  actor: Actor,
  uuid: string,
  { state, reason }: z.output<typeof referralApi.decide.body>,
): Promise<Row> {
  if (state === 'refused' && reason === '') throw new AppError('invalid_input', { fields: { reason: 'Required' } })
  const { time_zone: zone } = await getGeneralSettings(db)
  return db.transaction().execute(async (trx) => {
    const found = await lockByUuid(trx, uuid)
    if (found === undefined) throw new AppError('not_found')
    if (found.state === 'clear' && state === 'released') throw new AppError('status_not_allowed')
    if (found.state !== state) {
      await storeDecision(trx, found.id, { state, reason, decided_at: new Date(now), decided_by: actor.accountId })
      await recordAudit(trx, actor, now, {
        action: state === 'released' ? 'release_referral' : 'refuse_referral',
        entity: 'affiliate',
        entityId: found.referrer_id,
        before: { state: found.state },
        after: { state, ...(reason && { reason }) },
      })
      await accrueReferral(trx, found.id, { now, zone, actorId: actor.accountId })
    }
    const row = await findReferral(trx, found.id)
    if (row === undefined) throw new AppError('not_found')
    return present(row, zone)
  })
}

/** Who brought an affiliate, and whom it brought. Throws `not_found`. */
export async function showReferralsOf(
  db: Db,
  actor: Actor,
  key: string,
  filters: z.output<typeof referralApi.of.body>,
): Promise<CallOutput<typeof referralApi.of>> {
  const affiliate = await getAffiliate(db, actor.scope, key)
  if (affiliate === undefined) throw new AppError('not_found')
  const [{ time_zone }, by, { rows, list }] = await Promise.all([
    getGeneralSettings(db),
    findBroughtBy(db, actor.scope, affiliate.id),
    listBroughtBy(db, actor.scope, affiliate.id, filters),
  ])
  return {
    brought_by: by === undefined ? null : { who: by.who, percent: by.percent, until: lastMonthOf(by, time_zone), state: by.state },
    list: list.map(({ who, level, percent, state, earned, ...terms }) => ({
      who,
      level,
      percent,
      state,
      created_at: terms.created_at.toISOString(),
      until: lastMonthOf(terms, time_zone),
      earned: texts(earned),
    })),
    summary: { rows },
  }
}

function present({ id: _id, months, ...row }: ReferralRow, zone: string): Row {
  return {
    ...row,
    // the table is written by `holdSuspicious` alone
    causes: row.causes as (typeof REFERRAL_CAUSES)[number][],
    until: lastMonthOf({ created_at: row.created_at, months }, zone),
    created_at: row.created_at.toISOString(),
    held_at: row.held_at?.toISOString() ?? null,
    decided_at: row.decided_at?.toISOString() ?? null,
    earned: texts(row.earned),
    kept: texts(row.kept),
  }
}

function texts(list: Amounts): Amounts {
  return list.map(({ currency, amount }) => ({ currency, amount: amountText(amount) }))
}
