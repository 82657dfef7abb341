import { z } from 'zod'
import { ASSIGNED_KINDS } from '#contract/people/assignment.ts'
import type { HandOver } from '#contract/people/manager.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { lastOwn, recordAudit } from '../audit/audit.service.ts'
import { handedOverAt, lockAssigned, lockTeams, managerIdsOf, setTeamLeads, tellAssigned } from './assignment.queries.ts'
import { give, receiverFor, takeBack } from './assignment.service.ts'

/** What managers who leave had and to whom it went, as the log of their status keeps it. */
type HandedOver = { affiliates?: number; advertisers?: number; team?: number; manager_uuid?: string | null; team_lead_uuid?: string | null }

type Leaving = { id: number }

/**
 * Hands over what managers have who are blocked or deleted: their accounts to one manager, those who report to them to one lead.
 * What is not said stays with who is blocked; of who is deleted it has to be said. Throws `reference_in_use`, `unknown_reference`.
 */
export async function handOver(
  trx: Trx,
  now: number,
  actor: Actor,
  leaving: readonly Leaving[],
  { hand_over, deleting, leadFor }: { hand_over: HandOver; deleting: boolean; leadFor: (uuid: string | null) => Promise<number | null> },
): Promise<HandedOver> {
  const ids = leaving.map(({ id }) => id)
  const { manager_uuid, team_lead_uuid } = hand_over
  const done: HandedOver = {}
  if (manager_uuid !== undefined) {
    const to = await receiverFor(trx, actor, manager_uuid)
    refuseLeaving(ids, to?.id, 'hand_over.manager_uuid')
    const which = { managerIds: ids }
    done.affiliates = await give(trx, now, actor, 'hand_over', { kind: 'affiliate', scope: actor.scope, which, to })
    done.advertisers = await give(trx, now, actor, 'hand_over', { kind: 'advertiser', scope: actor.scope, which, to })
    done.manager_uuid = to?.uuid ?? null
  } else if (deleting)
    for (const kind of ASSIGNED_KINDS) {
      if ((await lockAssigned(trx, kind, actor.scope, { managerIds: ids })).length > 0)
        throw new AppError('reference_in_use', { fields: { 'hand_over.manager_uuid': 'Say who takes over the accounts' } })
    }
  const team = (await lockTeams(trx, { leadIds: ids })).filter(({ id }) => !ids.includes(id))
  if (team_lead_uuid !== undefined && team.length > 0) {
    const leadId = await leadFor(team_lead_uuid)
    refuseLeaving(ids, leadId, 'hand_over.team_lead_uuid')
    await setTeamLeads(
      trx,
      team.map(({ id }) => ({ id, team_lead_id: leadId })),
    )
    await recordAudit(
      trx,
      actor,
      now,
      team.map((one) => ({
        action: 'hand_over',
        entity: 'manager',
        entityId: one.id,
        before: { team_lead_uuid: one.team_lead_uuid },
        after: { team_lead_uuid },
      })),
    )
    if (leadId !== null) await tellAssigned(trx, now, { managerId: leadId, kind: 'manager', count: team.length, but: actor.accountId })
    done.team = team.length
    done.team_lead_uuid = team_lead_uuid
  } else if (deleting && team.length > 0)
    throw new AppError('reference_in_use', { fields: { 'hand_over.team_lead_uuid': 'Say who leads the team from now on' } })
  return done
}

/** Gives these managers back what the actor handed over of theirs at a moment, where nothing was changed about it since. */
export async function takeBackHandedOver(trx: Trx, now: number, actor: Actor, at: Date, uuids: readonly string[]): Promise<void> {
  const moved = (await handedOverAt(trx, actor.accountId, at)).filter(({ before }) => {
    const owner = ownerBefore.safeParse(before)
    return owner.success && uuids.includes(owner.data.manager_uuid ?? owner.data.team_lead_uuid ?? '')
  })
  for (const kind of ASSIGNED_KINDS) {
    const ids = moved.filter(({ entity }) => entity === kind).map(({ id }) => id)
    if (ids.length === 0) continue
    const locked = await lockAssigned(trx, kind, actor.scope, { ids })
    await takeBack(trx, now, actor, { kind, action: 'hand_over', locked, at })
  }
  const team = moved.filter(({ entity }) => entity === 'manager').map(({ id }) => id)
  if (team.length > 0) await takeBackTeam(trx, now, actor, team, at)
}

async function takeBackTeam(trx: Trx, now: number, actor: Actor, ids: number[], at: Date): Promise<void> {
  const locked = await lockTeams(trx, { ids })
  const back = await lastOwn(trx, actor, 'manager', locked, { action: 'hand_over', before: leadBefore, at })
  const leads = await managerIdsOf(
    trx,
    back.map(({ earlier }) => earlier),
  )
  await setTeamLeads(
    trx,
    back.map(({ id, earlier }) => ({ id, team_lead_id: leads.get(earlier) ?? null })),
  )
  await recordAudit(
    trx,
    actor,
    now,
    back.map(({ id, team_lead_uuid, earlier }) => ({
      action: 'undo',
      entity: 'manager',
      entityId: id,
      before: { team_lead_uuid },
      after: { team_lead_uuid: earlier },
    })),
  )
}

const ownerBefore = z.object({ manager_uuid: z.string().optional(), team_lead_uuid: z.string().optional() })
const leadBefore = z.object({ team_lead_uuid: z.uuid() }).transform((before) => before.team_lead_uuid)

function refuseLeaving(ids: readonly number[], to: number | null | undefined, field: string): void {
  if (to !== null && to !== undefined && ids.includes(to))
    throw new AppError('unknown_reference', { fields: { [field]: 'Choose somebody who stays' } })
}
