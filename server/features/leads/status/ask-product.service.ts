import { randomUUID } from 'node:crypto'
import { sayCallReason } from '#contract/leads/call-reason.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { readAccount } from '#server/features/leads/product/account.service.ts'
import { addressesOf } from '#server/rules/lead/integration/addresses.ts'
import type { HalfRead } from '#server/rules/lead/integration/pull-place.ts'
import type { PulledRow } from '#server/rules/lead/integration/read-rows.ts'
import type { Values } from '#server/rules/lead/integration/template.ts'
import { accountValues, pollValues, secretsOf } from '#server/features/leads/call/lead-values.ts'
import { openQuestions } from '#server/features/leads/call/run-calls.service.ts'
import type { SendParts } from '../send/send-parts.ts'
import { openTokens } from '#server/features/leads/call/token.service.ts'
import { applyRows, type Heard, type PulledSpec } from './apply-rows.service.ts'
import { startOfDay, windowsOf } from './pull-window.ts'
import { getAccount } from './status.queries.ts'

/** A list longer than that is left there, and read on by the next pull; one that never ends is given up. */
const MOST_PAGES = 200
const MOST_PAGES_IN_ALL = 2_000
/** So many questions in a row without a list, and the system is away. */
const MOST_ERRORS = 3
/** So many rows are held at once. */
const MOST_ROWS = 100_000

export type PullParts = Omit<SendParts, 'underWay'>
type Pull = NonNullable<IntegrationSpec['pull']>
/** A lead to ask about; where a system is asked for days, a day, which has no id. */
export type Asked = { id: string | null; uuid: string; external_id: string | null; asked_at: Date }
/** What is left to ask: so many calls, before that moment, while nobody else has the product. */
export type Budget = { calls: number; until: number; isLost(): boolean }

/**
 * What asking came to: pages that were answered, rows about leads of ours, of which of them one could not be applied, and what went wrong
 * first; '' = nothing. `cut`: a list was longer than is read at once.
 */
export type Found = { answered: number; matched: number; failed: string[]; error: string; cut: boolean }
/**
 * About how many of the leads it was asked, from the first one on; `half`: the list about those up to `through` was not read to its end;
 * `away`: the rest was not tried.
 */
export type Went = { asked: number; half: (Omit<HalfRead, 'to'> & { through: number }) | null; away: boolean }
type Question = { values: Values; through: number }
type ReadTo = { end: 'whole' | 'failed' | 'refused' } | { end: 'half'; values: Values; pages: number }

/** Asks one product about its leads, by one log-in; what its lists say is applied before the answer. */
export type Asking = {
  found: Found
  /** About leads in their order, as far as the budget goes. Throws nothing the network says. */
  ask(leads: readonly Asked[], budget: Budget): Promise<Went>
  /** Reads a list on; answers where it was left this time, null where it is over. */
  goOn(half: HalfRead, budget: Budget): Promise<HalfRead | null>
}

type Of = { host: string; credentials: Buffer; spec: IntegrationSpec; version_id: number }

/** Opens a product for questions; null where its system is not asked. */
export function openAsking(parts: PullParts, productId: number, of: Of): Asking | null {
  const { pull } = of.spec
  if (pull === null) return null
  const found: Found = { answered: 0, matched: 0, failed: [], error: '', cut: false }
  const now = parts.clock.now()
  const spec: PulledSpec = { ...of.spec, pull }
  const tokens = openTokens(parts, { ...of, productId, versionId: of.version_id })
  const circumstances = { values: baseOf(parts, of, now), secrets: secretsOf(spec), country: '', tokens }
  const questions = openQuestions(spec, circumstances, parts.policy)
  const heard: Heard = new Set()
  const lists: PulledRow[][] = []
  const isSpent = ({ calls, until, isLost }: Budget) => calls <= 0 || parts.clock.now() >= until || isLost()

  /** Reads a list page after page; whatever is no list of rows ends it, and what came before counts. */
  const read = async (first: Values, before: number, budget: Budget): Promise<ReadTo> => {
    const rows: PulledRow[] = []
    lists.push(rows)
    let values = first
    for (let pages = 0; ; pages++) {
      if (pages === MOST_PAGES) found.cut = true
      if (before + pages >= MOST_PAGES_IN_ALL) {
        found.error ||= sayCallReason('many_pages', { most: MOST_PAGES_IN_ALL })
        return { end: 'failed' }
      }
      if (pages === MOST_PAGES || (pages > 0 && isSpent(budget))) return { end: 'half', values, pages: before + pages }
      budget.calls--
      const { page } = await questions.ask(values)
      if ('error' in page) {
        found.error ||= page.error === '' ? 'no answer' : page.error
        return { end: page.refused ? 'refused' : 'failed' }
      }
      found.answered++
      for (const row of page.rows) rows.push(row)
      if (page.next === null || page.next === values['poll.cursor']) return { end: 'whole' }
      values = nextValues(pull, values, page.next)
    }
  }
  const apply = async () => {
    // days are asked about from the last one back, and the last word counts
    const rows = (pull.by === 'window' ? lists.toReversed() : lists).flat()
    lists.length = 0
    await applyRows(parts, productId, spec, rows, found, heard)
  }
  return {
    found,
    async ask(leads, budget) {
      let asked = 0
      let tried = 0
      let errors = 0
      let half: Went['half'] = null
      let refused = false
      for (const { values, through } of questionsOf(pull, leads, now)) {
        if (isSpent(budget)) break
        const to = await read(values, 0, budget)
        if (to.end === 'half') half = { values: to.values, pages: to.pages, through }
        refused = to.end === 'refused'
        if (half !== null || refused) break
        tried = through
        errors = to.end === 'failed' ? errors + 1 : 0
        if (errors === 0) asked = through
        if (errors === MOST_ERRORS) break
        if (lists.reduce((sum, rows) => sum + rows.length, 0) > MOST_ROWS) await apply()
      }
      await apply()
      const away = refused || errors === MOST_ERRORS
      // one question that is never answered does not hold up those behind it
      return { asked: away && asked > 0 ? asked : tried, half, away }
    },
    async goOn({ values, pages, to }, budget) {
      const went = await read(values, pages, budget)
      await apply()
      return went.end === 'half' ? { values: went.values, pages: went.pages, to } : null
    },
  }
}

/** Asks a product what became of these leads, all at once. Throws nothing the network says. */
export async function askProduct(parts: PullParts, productId: number, of: Of, leads: readonly Asked[]): Promise<Found> {
  const asking = openAsking(parts, productId, of)
  if (asking === null) return { answered: 0, matched: 0, failed: [], error: '', cut: false }
  await asking.ask(leads, { calls: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY, isLost: () => false })
  return asking.found
}

/** Asks a product about one lead alone, now; `error` is '' where it answered. */
export async function lookUpLead(
  parts: PullParts,
  send: Omit<Asked, 'id'> & { product_id: number; version_id: number; spec: IntegrationSpec },
): Promise<{ error: string }> {
  const account = await getAccount(parts.db, send.product_id)
  if (account === undefined) return { error: 'no product' }
  // the account of today is told to nobody whom only the version of then knows
  const known = readAccount(parts.secretKey, account.credentials)
  if (!addressesOf(send.spec, account.host, known).isSubsetOf(addressesOf(account.spec, account.host, known)))
    return { error: sayCallReason('refused') }
  const found = await askProduct(parts, send.product_id, { ...account, spec: send.spec, version_id: send.version_id }, [
    { ...send, id: null },
  ])
  // what is wrong with others of the list is not about this one
  const failed = found.failed.filter((uuid) => uuid === send.uuid)
  return { error: sayFound({ ...found, failed }) }
}

/** What went wrong, in a sentence; '' = nothing. */
export function sayFound({ error, failed, cut }: Pick<Found, 'error' | 'failed' | 'cut'>): string {
  if (error !== '') return error.slice(0, 300)
  if (failed.length > 0) return sayCallReason('rows_failed', { count: failed.length })
  return cut ? sayCallReason('list_cut', { most: MOST_PAGES }) : ''
}

function baseOf({ secretKey }: PullParts, { host, credentials }: { host: string; credentials: Buffer }, now: number): Values {
  return {
    ...accountValues(host, readAccount(secretKey, credentials)),
    'now.at': new Date(now).toISOString(),
    'now.unix': String(Math.floor(now / 1000)),
    'send.lead_id': randomUUID(),
  }
}

/** What is asked: about ids, so many at once, or about the days leads were sent on, the last ones first. */
function questionsOf(pull: Pull, leads: readonly Asked[], now: number): Question[] {
  if (leads.length === 0) return []
  if (pull.by === 'window') {
    const days = leads.map(({ asked_at }) => startOfDay(asked_at.getTime()))
    const slack = pull.slack_hours * 3_600_000
    return windowsOf(days, now, { days: pull.window_days, slackHours: pull.slack_hours })
      .toReversed()
      .map(({ from, until }) => ({
        values: pollValues(pull, [], from, until),
        through: days.filter((day) => day - slack >= from).length,
      }))
  }
  const oldest = Math.min(...leads.map(({ asked_at }) => asked_at.getTime()))
  return Array.from({ length: Math.ceil(leads.length / pull.ids_at_once) }, (_, at) => {
    const some = leads.slice(at * pull.ids_at_once, (at + 1) * pull.ids_at_once)
    const ids = some.flatMap(({ uuid, external_id }) => (pull.id_is === 'lead_id' ? uuid : (external_id ?? [])))
    return { values: pollValues(pull, ids, oldest, now), through: at * pull.ids_at_once + some.length }
  })
}

function nextValues({ paging }: Pull, values: Values, next: string | true): Values {
  return {
    ...values,
    ...(typeof next === 'string' && { 'poll.cursor': next }),
    ...(paging.by === 'page' && { 'poll.page': String(Number(values['poll.page']) + 1) }),
    ...(paging.by === 'offset' && { 'poll.offset': String(Number(values['poll.offset']) + paging.size) }),
  }
}
