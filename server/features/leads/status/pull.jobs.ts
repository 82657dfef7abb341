import { randomUUID } from 'node:crypto'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { readAccount } from '#server/features/leads/product/account.service.ts'
import { log } from '#server/platform/log.ts'
import { readRows, type PulledRow } from '#server/rules/lead/integration/read-rows.ts'
import type { Values } from '#server/rules/lead/integration/template.ts'
import { accountValues, secretsOf } from '../send/lead-values.ts'
import { runPull } from '../send/run-calls.service.ts'
import type { SendParts } from '../send/send-parts.ts'
import { applyStatus } from './apply-status.service.ts'
import { windowsOf } from './pull-window.ts'
import { findSend, getPullEndpoint, leasePulls, listOpen, settlePull } from './status.queries.ts'

const MINUTE = 60_000
/** Between two times a product is asked; twice as long after each time that went wrong, four hours at most. */
const EVERY = 15 * MINUTE
const LONGEST_WAIT = 240 * MINUTE
/** Leads older than that are not asked about any more. */
const LOOKBACK = 90 * 86_400_000
const LEASE = 20 * MINUTE
const MOST_LEADS = 5000
const MOST_PAGES = 200
/** So many products are asked at once by one worker. */
const AT_ONCE = 10

type PullParts = Omit<SendParts, 'underWay'>
type Pull = NonNullable<IntegrationSpec['pull']>
type Spec = IntegrationSpec & { pull: Pull }

/** Asks the products that are due what became of their leads, each by one worker; answers how many. */
export async function pullStatuses(parts: PullParts): Promise<number> {
  const now = parts.clock.now()
  const due = await leasePulls(parts.db, new Date(now), new Date(now + LEASE), AT_ONCE)
  await Promise.all(
    due.map(async (id) => {
      try {
        await pullProduct(parts, id)
      } catch (error) {
        // asked again when its lease is over
        log.error({ err: error, product: id }, 'a product was not asked what became of its leads')
      }
    }),
  )
  return due.length
}

async function pullProduct(parts: PullParts, productId: number): Promise<void> {
  const { db, clock } = parts
  const endpoint = await getPullEndpoint(db, productId)
  if (endpoint === undefined) return
  const now = clock.now()
  const { pull } = endpoint.spec
  const open = await listOpen(db, productId, new Date(now - LOOKBACK), MOST_LEADS)
  const found = { rows: 0, matched: 0, error: '' }
  if (pull !== null && open.length > 0) {
    const account = readAccount(parts.secretKey, endpoint.credentials)
    const base = {
      ...accountValues(endpoint.host, account),
      'now.at': new Date(now).toISOString(),
      'now.unix': String(Math.floor(now / 1000)),
      'send.lead_id': randomUUID(),
    }
    const spec = { ...endpoint.spec, pull }
    for (const question of questionsOf(pull, open, now)) {
      if (found.error !== '') break
      await askAll(parts, productId, spec, { ...base, ...question }, found)
    }
  }
  const wait = found.error === '' ? EVERY : Math.min(EVERY * 2 ** Math.min(endpoint.failures + 1, 5), LONGEST_WAIT)
  await settlePull(db, productId, {
    at: new Date(now),
    dueAt: new Date(clock.now() + wait),
    error: found.error.slice(0, 300),
    // an answer without a single lead of ours, while some are open, is no good sign
    silent: open.length > 0 && found.matched === 0,
  })
}

/** What is asked: about ids, so many at once, or about the days leads were sent on. */
function questionsOf(pull: Pull, open: Awaited<ReturnType<typeof listOpen>>, now: number): Values[] {
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

function pollValues(pull: Pull, ids: readonly string[], from: number, until: number): Values {
  return {
    'poll.from': new Date(from).toISOString(),
    'poll.to': new Date(until).toISOString(),
    'poll.page': pull.paging.by === 'page' ? String(pull.paging.first) : '1',
    'poll.offset': '0',
    'poll.cursor': '',
    'poll.ids': ids.join(pull.ids_between),
    'poll.each_id': ids.join('\n'),
  }
}

/** One question, page after page; what is no list of rows ends it as an error, and whatever came before stays applied. */
async function askAll(
  parts: PullParts,
  productId: number,
  spec: Spec,
  first: Values,
  found: { rows: number; matched: number; error: string },
) {
  const { paging } = spec.pull
  let values = first
  for (let page = 0; page < MOST_PAGES; page++) {
    const { call, answer } = await runPull(spec, { values, secrets: secretsOf(spec), country: '' }, parts.policy)
    if (call.missing.length > 0) return void (found.error = `${call.missing.join(', ')} is missing`)
    const read = readRows(answer, spec.pull)
    if ('error' in read) return void (found.error = read.error === '' ? 'no answer' : read.error)
    found.rows += read.rows.length
    for (const row of read.rows) if (await applyRow(parts, productId, spec, row)) found.matched++
    if (read.next === null || read.next === values['poll.cursor']) return
    values = {
      ...values,
      ...(typeof read.next === 'string' && { 'poll.cursor': read.next }),
      ...(paging.by === 'page' && { 'poll.page': String(paging.first + page + 1) }),
      ...(paging.by === 'offset' && { 'poll.offset': String(paging.size * (page + 1)) }),
    }
  }
}

/** Whether a row was about a lead of ours. */
async function applyRow(parts: PullParts, productId: number, spec: Spec, row: PulledRow): Promise<boolean> {
  const send = await findSend(parts.db, productId, spec.pull.id_is === 'lead_id' ? { uuid: row.id } : { externalId: row.id })
  if (send === undefined) return false
  await applyStatus(parts, send, spec, { raw: row.status, isSale: row.isSale, amount: row.amount }, 'pull', parts.clock.now())
  return true
}
