import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { productApi, ProductTest } from '#contract/leads/product.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { accountValues, pollValues } from '#server/features/leads/call/lead-values.ts'
import { maskCall, withoutLogIn } from '#server/features/leads/call/mask-log-in.ts'
import { openQuestions, runCalls, type Sent } from '#server/features/leads/call/run-calls.service.ts'
import { openTokens } from '#server/features/leads/call/token.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import { AppError } from '#server/platform/errors.ts'
import { normalStatus, readStatus, wordsOf } from '#server/rules/lead/integration/status-word.ts'
import type { Values } from '#server/rules/lead/integration/template.ts'
import { listMeanings } from '../status/word.queries.ts'
import { readAccount } from './account.service.ts'
import { dropOldTests, getProduct, insertTest, updateProducts, type ProductRow } from './product.queries.ts'
import { triedVersion, type ProductParts } from './product.service.ts'
import { sampleLead } from '#server/rules/lead/sample-lead.ts'

/** So many tests of a product are kept. */
const KEPT = 50
const DAY = 86_400_000
type TestParts = ProductParts & { clock: Clock }
type Body<Name extends 'test' | 'testPull'> = z.output<(typeof productApi)[Name]['body']>

/**
 * Sends a test lead to the advertiser of a product, once, and keeps what it came to. Accepted by the version named, the product
 * counts as tested by it, unless its address or account changed meanwhile, and takes leads again where errors stopped it. Throws
 * `not_found`, `unknown_reference`, `status_not_allowed` of an archived one.
 */
export async function testProduct(parts: TestParts, now: number, actor: Actor, key: string, body: Body<'test'>): Promise<ProductTest> {
  const { row, version, account } = await chosen(parts, actor.scope, key, body.version_number)
  const uuid = randomUUID()
  const values: Values = { ...sampleLead(body.country, now), ...body.values, ...accountValues(row.host, account), ...ofSend(uuid, now) }
  const of = { values, secrets: version.secrets, country: body.country, tokens: tokensFor(parts, row, version.id) }
  const { judged, calls } = withoutLogInOf(await runCalls(version.spec, of, parts.policy))
  const by = await parts.db.transaction().execute(async (trx) => {
    const today = await getProduct(trx, actor.scope, key, true)
    if (today === undefined) return null
    const who = await insertTest(trx, {
      uuid,
      product_id: row.id,
      version_id: version.id,
      account_id: actor.accountId,
      outcome: judged.outcome,
      reason: judged.reason.slice(0, 500),
      external_id: judged.extracted.external_id ?? '',
      redirect: judged.extracted.redirect_url ?? '',
      calls,
      at: new Date(now),
    })
    await dropOldTests(trx, row.id, KEPT)
    const after = { version_number: version.number, outcome: judged.outcome }
    await recordAudit(trx, actor, now, { action: 'test', entity: 'product', entityId: row.id, after })
    // what was sent is what there is now
    const same = today.host === row.host && today.credentials.equals(row.credentials)
    if (judged.outcome === 'accepted' && same)
      // what stopped it is over
      await updateProducts(trx, [row.id], {
        tested_version_id: version.id,
        tested_at: new Date(now),
        failures: 0,
        rests_until: null,
        blocked: false,
      })
    return who
  })
  return {
    uuid,
    at: new Date(now).toISOString(),
    by,
    version_number: version.number,
    outcome: judged.outcome,
    reason: judged.reason,
    extracted: judged.extracted,
    calls,
  }
}

/** Asks what became of leads of the last days, one page, and keeps nothing. Throws `not_found`, `unknown_reference`, `status_not_allowed`. */
export async function testPull(
  parts: TestParts,
  now: number,
  actor: Actor,
  key: string,
  { version_number, days, ids }: Body<'testPull'>,
): Promise<z.input<typeof productApi.testPull.response>> {
  const { row, version, account } = await chosen(parts, actor.scope, key, version_number)
  const { pull } = version.spec
  if (pull === null)
    throw new AppError('status_not_allowed', { fields: { version_number: 'This integration asks nobody what became of leads' } })
  const values: Values = {
    ...accountValues(row.host, account),
    ...ofSend(randomUUID(), now),
    ...pollValues(pull, ids, now - days * DAY, now),
  }
  const of = { values, secrets: version.secrets, country: '', tokens: tokensFor(parts, row, version.id) }
  const { calls: made, page } = await openQuestions({ ...version.spec, pull }, of, parts.policy).ask({})
  const calls = made.map((call) => maskCall(call, withoutLogIn({})))
  if ('error' in page) return { calls, problem: page.error === '' ? 'no answer' : page.error, rows: [] }
  const shown = page.rows.slice(0, 200)
  const mapped = await listMeanings(
    parts.db,
    row.integration_id,
    shown.map(({ status }) => normalStatus(status)),
  )
  const rows = shown.map(({ isSale, ...one }) => ({
    ...one,
    sale: isSale,
    meaning: readStatus(one.status, wordsOf(version.spec.statuses, row.type)) ?? mapped.get(normalStatus(one.status)) ?? null,
  }))
  return { calls, problem: '', rows }
}

/** What a test came to as it is kept and shown. A test has no person, but where they would go on is an account that was made. */
function withoutLogInOf({ judged, calls }: Sent): Sent {
  const clean = withoutLogIn(judged.extracted)
  const { external_id, ...said } = judged.extracted
  const shown = Object.fromEntries(Object.entries(said).map(([name, text]) => [name, clean(text)]))
  return {
    judged: { ...judged, reason: clean(judged.reason), extracted: { ...shown, ...(external_id !== undefined && { external_id }) } },
    calls: calls.map((call) => maskCall(call, clean)),
  }
}

async function chosen({ db, secretKey }: ProductParts, scope: Scope, key: string, number: number) {
  const row = await getProduct(db, scope, key)
  if (row === undefined) throw new AppError('not_found')
  if (row.status === 'archived') throw new AppError('status_not_allowed', { fields: { status: 'An archived product is not tested' } })
  const account = readAccount(secretKey, row.credentials)
  return { row, version: await triedVersion(db, row, number, account), account }
}

/** A person wants to see the log-in itself; what it gives leads go on with. */
function tokensFor(parts: TestParts, { id, host, credentials }: ProductRow, versionId: number) {
  return openTokens(parts, { productId: id, versionId, host, credentials }, { anew: true })
}

function ofSend(uuid: string, now: number): Values {
  return {
    'session.uuid': uuid,
    'send.lead_id': uuid,
    'send.attempt': '1',
    'click.id': uuid,
    'aff.id': '1',
    'offer.id': '1',
    'now.at': new Date(now).toISOString(),
    'now.unix': String(Math.floor(now / 1000)),
  }
}
