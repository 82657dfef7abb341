import { randomUUID } from 'node:crypto'
import { sayCallReason } from '#contract/leads/call-reason.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { readAccount } from '#server/features/leads/product/account.service.ts'
import { addressesOf } from '#server/rules/lead/integration/addresses.ts'
import type { PulledRow } from '#server/rules/lead/integration/read-rows.ts'
import type { Values } from '#server/rules/lead/integration/template.ts'
import { accountValues, pollValues, secretsOf } from '#server/features/leads/call/lead-values.ts'
import { openQuestions, type Questions } from '#server/features/leads/call/run-calls.service.ts'
import { log } from '#server/platform/log.ts'
import type { SendParts } from '../send/send-parts.ts'
import { keepListed, settleListed } from '../stuck/keep.service.ts'
import { openTokens } from '#server/features/leads/call/token.service.ts'
import { applyListed } from './apply-listed.service.ts'
import { windowsOf } from './pull-window.ts'
import { findSend, getAccount, type SentLead } from './status.queries.ts'

const MOST_PAGES = 200

export type PullParts = Omit<SendParts, 'underWay'>
type Pull = NonNullable<IntegrationSpec['pull']>
type Spec = IntegrationSpec & { pull: Pull }
/** A lead to ask about. */
export type Asked = { uuid: string; external_id: string | null; asked_at: Date }

/** What asking came to: rows about leads of ours, of which of them one could not be applied, and what went wrong; '' = nothing. */
export type Found = { matched: number; failed: string[]; error: string }

/** Asks a product what became of these leads, question by question, and applies whatever it says. Throws nothing the network says. */
export async function askProduct(
  parts: PullParts,
  productId: number,
  of: { host: string; credentials: Buffer; spec: IntegrationSpec; version_id: number },
  leads: readonly Asked[],
): Promise<Found> {
  const found: Found = { matched: 0, failed: [], error: '' }
  const { pull } = of.spec
  if (pull === null || leads.length === 0) return found
  const now = parts.clock.now()
  const spec = { ...of.spec, pull }
  const tokens = openTokens(parts, { ...of, productId, versionId: of.version_id })
  const circumstances = { values: baseOf(parts, of, now), secrets: secretsOf(spec), country: '', tokens }
  const questions = openQuestions(spec, circumstances, parts.policy)
  for (const question of questionsOf(pull, leads, now)) {
    if (found.error !== '') break
    await askAll(parts, productId, { spec, questions }, question, found)
  }
  return found
}

/** Asks a product about one lead alone, now; `error` is '' where it answered. */
export async function lookUpLead(
  parts: PullParts,
  send: Asked & { product_id: number; version_id: number; spec: IntegrationSpec },
): Promise<{ error: string }> {
  const account = await getAccount(parts.db, send.product_id)
  if (account === undefined) return { error: 'no product' }
  // the account of today is told to nobody whom only the version of then knows
  const known = readAccount(parts.secretKey, account.credentials)
  if (!addressesOf(send.spec, account.host, known).isSubsetOf(addressesOf(account.spec, account.host, known)))
    return { error: sayCallReason('refused') }
  const found = await askProduct(parts, send.product_id, { ...account, spec: send.spec, version_id: send.version_id }, [send])
  // what is wrong with others of the list is not about this one
  const failed = found.failed.filter((uuid) => uuid === send.uuid)
  return { error: sayFound({ ...found, failed }) }
}

/** What went wrong, in a sentence; '' = nothing. */
export function sayFound({ error, failed }: Pick<Found, 'error' | 'failed'>): string {
  return (error === '' && failed.length > 0 ? sayCallReason('rows_failed', { count: failed.length }) : error).slice(0, 300)
}

function baseOf({ secretKey }: PullParts, { host, credentials }: { host: string; credentials: Buffer }, now: number): Values {
  return {
    ...accountValues(host, readAccount(secretKey, credentials)),
    'now.at': new Date(now).toISOString(),
    'now.unix': String(Math.floor(now / 1000)),
    'send.lead_id': randomUUID(),
  }
}

/** What is asked: about ids, so many at once, or about the days leads were sent on. */
function questionsOf(pull: Pull, open: readonly Asked[], now: number): Values[] {
  if (pull.by === 'window') {
    const days = windowsOf(
      open.map(({ asked_at }) => asked_at.getTime()),
      now,
      { days: pull.window_days, slackHours: pull.slack_hours },
    )
    return days.map(({ from, until }) => pollValues(pull, [], from, until))
  }
  const ids = open.flatMap(({ uuid, external_id }) => (pull.id_is === 'lead_id' ? uuid : (external_id ?? [])))
  const oldest = Math.min(...open.map(({ asked_at }) => asked_at.getTime()))
  return Array.from({ length: Math.ceil(ids.length / pull.ids_at_once) }, (_, at) =>
    pollValues(pull, ids.slice(at * pull.ids_at_once, (at + 1) * pull.ids_at_once), oldest, now),
  )
}

/** One question, page after page; what is no list of rows ends it as an error, and whatever came before stays applied. */
async function askAll(
  parts: PullParts,
  productId: number,
  { spec, questions }: { spec: Spec; questions: Questions },
  first: Values,
  found: Found,
) {
  const { paging } = spec.pull
  let values = first
  for (let page = 0; page < MOST_PAGES; page++) {
    const { page: read } = await questions.ask(values)
    if ('error' in read) return void (found.error = read.error === '' ? 'no answer' : read.error)
    for (const row of read.rows) await tryRow(parts, productId, spec, row, found)
    if (read.next === null || read.next === values['poll.cursor']) return
    values = {
      ...values,
      ...(typeof read.next === 'string' && { 'poll.cursor': read.next }),
      ...(paging.by === 'page' && { 'poll.page': String(paging.first + page + 1) }),
      ...(paging.by === 'offset' && { 'poll.offset': String(paging.size * (page + 1)) }),
    }
  }
}

/** Applies what a row says, where it is about a lead of ours; one that fails is told of, and keeps none of the others. */
async function tryRow(parts: PullParts, productId: number, spec: Spec, row: PulledRow, found: Found): Promise<void> {
  let uuid = ''
  try {
    const send = await findSend(parts.db, productId, spec.pull.id_is === 'lead_id' ? { uuid: row.id } : { externalId: row.id })
    if (send === undefined) return
    found.matched++
    uuid = send.uuid
    await applyRow(parts, productId, spec, send, row)
  } catch (error) {
    log.error({ err: error, product: productId, send: uuid }, 'what a list says of a lead was not applied')
    found.failed.push(uuid)
  }
}

async function applyRow(parts: PullParts, productId: number, spec: Spec, send: SentLead, row: PulledRow): Promise<void> {
  const now = parts.clock.now()
  // several payments without a name: nobody could tell one from another, nor which of them was told before
  if (row.nameless) return keepListed(parts.db, productId, send.id, row, 'deposit_unclear', new Date(now))
  const outcome = await applyListed(parts, { send, productId, spec }, row, 'pull', now)
  if (outcome === 'applied' && row.transaction !== '') await settleListed(parts.db, productId, row, new Date(now))
}
