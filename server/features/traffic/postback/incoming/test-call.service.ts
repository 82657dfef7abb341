import { randomUUID } from 'node:crypto'
import type { TestCallAnswer, TestCallInput } from '#contract/traffic/test-call.ts'
import type { Actor } from '#server/access/actor.ts'
import { getOffer } from '#server/features/offers/offer/offer.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import { POSTBACK_PATH, receivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import { findClicks, keyOf, loadClickKeys } from '../../click/click.queries.ts'
import { getIncomingSettings, storeIncoming, type IncomingResult } from './incoming.queries.ts'
import { identify, interpret } from './interpret.service.ts'
import type { Interpreted } from './interpreted.ts'
import { parsePostback } from './parse.service.ts'
import { OF_TEST_CLICK } from './receive.service.ts'
import { refused } from './refused.ts'

/**
 * Reads a call about a test click as that of its advertiser, and keeps it in the log of postbacks as a test. It never comes
 * to `applyReport`: a transaction id may name a real conversion. Who calls is known, so that no token is asked for; one
 * that is refused is kept as a test too, since nobody has to do anything about it and nobody may replay it. Throws
 * `invalid_input` for what is no id of a stored test click in scope.
 */
export async function sendTestCall(
  { db, clickhouse }: { db: Db; clickhouse: Clickhouse },
  now: number,
  actor: Actor,
  { click_id, ...said }: TestCallInput,
): Promise<TestCallAnswer> {
  const clickId = click_id.toLowerCase()
  const keys = await loadClickKeys(db, now)
  const parts = readClickId(clickId, keys)
  const offer = parts && (await getOffer(db, actor.scope, String(parts.offerId)))
  if (parts === null || !offer?.editable) throw wrongClick('This is no ID of a click of yours')
  const click = (await findClicks(clickhouse, [parts])).get(keyOf(parts))
  if (click === undefined) throw wrongClick('This click is not stored yet: try again in some seconds')
  if (!click.test) throw wrongClick('This click is real: only clicks of test links can be tried with')

  const named = Object.entries({ click_id: clickId, ...said }).filter(([, value]) => value !== '')
  const received = receivedPostback.parse({
    id: randomUUID(),
    received_at: new Date(now).toISOString(),
    method: 'GET',
    query: new URLSearchParams(named).toString(),
    ip: actor.address,
  })
  const { fields, query, body } = parsePostback(received)
  const identified = await identify(db, keys, fields)
  const meant = 'refusal' in identified ? identified : await interpret(db, identified, fields, await getIncomingSettings(db))
  const result: IncomingResult = 'refusal' in meant ? { ...refused(meant), outcome: 'test' } : OF_TEST_CLICK
  await db.transaction().execute(async (trx) => {
    await storeIncoming(
      trx,
      {
        requestKey: received.id,
        receivedAt: now,
        method: received.method,
        path: received.path,
        query,
        body,
        address: received.ip,
        fields,
        offerId: offer.id,
        affiliateId: click.affiliateId,
        advertiserId: 'refusal' in identified ? null : identified.terms.advertiser_id,
        authorized: true,
        tokenHash: null,
      },
      result,
    )
    await recordAudit(trx, actor, now, { action: 'test_call', entity: 'postback', entityId: 'in', after: { click_id: clickId, ...said } })
  })
  return {
    sent: `${POSTBACK_PATH}?${query}`,
    http_status: result.answer.httpStatus,
    answer: JSON.stringify(result.answer.body, null, 2),
    reason: result.reason,
    detail: 'refusal' in meant ? (meant.detail ?? meant.parameter ?? '') : '',
    understood: 'refusal' in meant ? null : understoodAs(meant),
  }
}

function understoodAs({ of: { goal, terms }, report }: Interpreted): TestCallAnswer['understood'] {
  return {
    goal: { code: goal.code, title: goal.title },
    status: report.status,
    amount: report.amount,
    currency: report.currency ?? terms.currency,
  }
}

function wrongClick(text: string): AppError {
  return new AppError('invalid_input', { fields: { click_id: text } })
}
