import type { CallOutput } from '#contract/endpoint.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { MadeCall } from '#contract/leads/product.ts'
import type { NO_LOOK_UP, quarantineApi } from '#contract/leads/quarantine.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Tables } from '#server/platform/pg/database.ts'
import { maskCall } from '#server/features/leads/call/mask-log-in.ts'
import { secretsOf, valuesOf } from '../call/lead-values.ts'
import { maskedValues } from '../call/mask-secrets.ts'
import { maskTold } from '../call/mask-told.ts'
import { readAccount } from '../product/account.service.ts'
import { freePassedOn, freePlace, isCalledAlready, listSends, lockSession, onRejectOf, updateSession } from '../send/send.queries.ts'
import type { SendParts } from '../send/send-parts.ts'
import { ended, endOf } from '../send/settle.service.ts'
import { openLeadVault, type Told } from '../session/vault.ts'
import { lookUpLead } from '../status/ask-product.service.ts'
import { bookLead, clickOf } from '../status/book.service.ts'
import { beginPulling, getLead, lockLead } from '../status/status.queries.ts'
import { decideSend, findSendInScope, getCalled, getStanding, type FoundSend } from './quarantine.queries.ts'
import { TOOK, took } from '#server/rules/lead/states.ts'

/** The first time a product is asked what became of its leads. */
const FIRST_PULL = 5 * 60_000

/** What was sent and answered, without the account, the person, and where the person goes on. Throws `not_found`. */
export async function showCalls(parts: { db: Db; secretKey: string | null }, actor: Actor, uuid: string): Promise<{ list: MadeCall[] }> {
  const send = await findOrThrow(parts.db, actor, uuid)
  if (send.call === null) return { list: [] }
  const vault = openLeadVault(parts.secretKey)
  const calls = JSON.parse(vault.openText(send.call)) as MadeCall[] // as settle wrote them
  const told = send.sealed === null ? {} : vault.openTold(send.sealed)
  const redirect = send.redirect === null ? '' : vault.openText(send.redirect)
  const clean = maskTold(told, redirect, await circumstancesOf(parts, send, told))
  return { list: calls.map((call) => maskCall(call, clean)) }
}

/** What a call was written from; secrets are dots, as they were when it was kept. */
async function circumstancesOf({ db, secretKey }: { db: Db; secretKey: string | null }, { id, spec, asked_at }: FoundSend, told: Told) {
  const { send_uuid, attempt, host, credentials, country, ...session } = await getCalled(db, id)
  const account = readAccount(secretKey, credentials)
  const values = valuesOf(session, told, { uuid: send_uuid, attempt, host, account, now: asked_at.getTime() })
  const given = spec.steps.flatMap(({ name, give }) => Object.keys(give).map((what) => `step.${name}.${what}`))
  return { spec, values: maskedValues(values, [...secretsOf(spec), ...given]), country }
}

/**
 * Says that the advertiser has a lead whose answer nobody knows, and books it in the same transaction. Said twice it changes nothing;
 * of two who say different things at once the second is refused. Throws `not_found`, `send_decided`, and `invalid_input` where
 * another lead of the product has that id.
 */
export async function acceptSend(
  parts: SendParts,
  actor: Actor,
  uuid: string,
  { external_id, note }: { external_id: string; note: string },
): Promise<{ changed: number }> {
  const { db, clock } = parts
  const send = await findOrThrow(db, actor, uuid)
  // asked before the transaction: it is another database
  const click = await clickOf(parts, await getLead(db, send.session_id))
  const now = clock.now()
  const at = new Date(now)
  return db.transaction().execute(async (trx) => {
    const lead = await lockLead(trx, send.session_id)
    const { status, answered_at } = await getStanding(trx, send.id)
    if (status !== 'ambiguous') return alreadyDecided(status, TOOK)
    if (external_id !== '' && (await isCalledAlready(trx, send.product_id, external_id, send.id)))
      throw new AppError('invalid_input', { fields: { external_id: 'Another lead of this product has this ID' } })
    await decideSend(trx, send.id, {
      status: 'accepted',
      outcome: 'accepted',
      answered_at: answered_at ?? at,
      ...(external_id !== '' && { external_id }),
    })
    await freePassedOn(trx, lead.id)
    if (send.spec.pull !== null) await beginPulling(trx, send.product_id, new Date(now + FIRST_PULL))
    if (!lead.test) await updateSession(trx, lead.id, { status: 'accepted', reason: '', ...ended(now) })
    if (click !== null) await bookLead(trx, lead, send, click, { goal: 'accepted', status: 'approved', amount: null }, now)
    await recordAudit(trx, actor, now, { ...entryOf(send, 'accept_send'), after: { external_id, note } })
    return { changed: 1 }
  })
}

/**
 * Says that the advertiser does not have it: its places in the caps are free again, and it is offered to the next in the cascade, or
 * to nobody where its member says so. Said twice it changes nothing. Throws `not_found`, `send_decided`.
 */
export async function rejectSend(
  { db, clock }: SendParts,
  actor: Actor,
  uuid: string,
  { note }: { note: string },
): Promise<{ changed: number }> {
  const send = await findOrThrow(db, actor, uuid)
  const now = clock.now()
  const at = new Date(now)
  return db.transaction().execute(async (trx) => {
    const session = await lockSession(trx, send.session_id)
    const { status, answered_at, places } = await getStanding(trx, send.id)
    if (status !== 'ambiguous') return alreadyDecided(status, ['rejected'])
    const said = { status: 'rejected', outcome: 'rejected', reason: note, answered_at: answered_at ?? at } as const
    await decideSend(trx, send.id, said)
    for (const { starts, ...place } of places) await freePlace(trx, { ...place, starts: new Date(starts) })
    const stops = send.member_id !== null && (await onRejectOf(trx, session.offer_id)).get(send.member_id) === 'stop'
    if (!session.test)
      await updateSession(
        trx,
        session.id,
        stops
          ? { ...(await endOf(trx, session.id, await listSends(trx, session.id))), ...ended(now) }
          : { status: 'queued', reason: '', next_try_at: at, leased_until: null, decided_at: null, changed_at: at },
      )
    await recordAudit(trx, actor, now, { ...entryOf(send, 'reject_send'), after: { note } })
    return { changed: 1 }
  })
}

/** Asks the advertiser's own list about one lead, and applies what it says of it. Throws `not_found`, `look_up_missing`. */
export async function lookUpSend(parts: SendParts, actor: Actor, uuid: string): Promise<CallOutput<typeof quarantineApi.lookUp>> {
  const send = await findOrThrow(parts.db, actor, uuid)
  if (whyNoLookUp(send.spec, send.external_id) !== '') throw new AppError('look_up_missing')
  const { error } = await lookUpLead(parts, send)
  const { status } = await findOrThrow(parts.db, actor, uuid)
  const result = took(status) ? 'accepted' : error === '' ? 'unknown' : 'failed'
  await recordAudit(parts.db, actor, parts.clock.now(), { ...entryOf(send, 'look_up_send'), after: { result } })
  return { result, error }
}

/** Why nobody can look a lead up: its system gives no list, or knows it by an id it has not told. */
export function whyNoLookUp({ pull }: Pick<IntegrationSpec, 'pull'>, externalId: string | null): (typeof NO_LOOK_UP)[number] {
  if (pull === null) return 'no_pull'
  return pull.id_is === 'lead_id' || externalId !== null ? '' : 'no_id'
}

type Status = Tables['lead_send']['status']

async function findOrThrow(db: Db, actor: Actor, uuid: string): Promise<FoundSend> {
  const send = await findSendInScope(db, actor.scope, uuid)
  if (send === undefined) throw new AppError('not_found')
  return send
}

function alreadyDecided(status: Status, same: readonly Status[]): { changed: number } {
  if (!same.includes(status)) throw new AppError('send_decided')
  return { changed: 0 }
}

function entryOf({ session_id }: FoundSend, action: 'accept_send' | 'reject_send' | 'look_up_send') {
  return { action, entity: 'user_session', entityId: session_id } as const
}
