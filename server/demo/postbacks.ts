import { createHmac } from 'node:crypto'
import type { PostbackRefusal } from '#contract/traffic/postback-outcome.ts'
import { findClicks, keyOf, type FindClick } from '#server/features/traffic/click/click.queries.ts'
import type { OfferTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { openReceiveParts, receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { countStrays } from '#server/features/traffic/postback/incoming/stray-path.service.ts'
import { attributeWaiting } from '#server/features/traffic/postback/incoming/waiting.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { mintClickId, readClickId, type ClickIdKeys, type ClickIdParts } from '#server/rules/click/click-id.ts'
import type { DecidedClick } from '#server/rules/click/click-row.ts'
import { LISTED_ADDRESS } from './people.ts'
import type { Random } from './random.ts'

const HOUR = 3_600_000
const OTHER_ADDRESS = '203.0.113.7'

/** Clicks the postbacks are about beside those of conversions. */
export type SpareClicks = { unconverted: DecidedClick[]; refused: DecidedClick[]; test: DecidedClick[] }

type Call = {
  /** Of the query, or of the form that is the body. */
  fields?: Record<string, string>
  method?: string
  path?: string
  body?: string
  content_type?: string
  ip?: string
  headers?: Record<string, string>
  /** Hours before now; of the last three days where nothing is said. */
  ago?: number
  at?: number
}
type Known = Awaited<ReturnType<typeof listKnown>>[number]

/** So many of each kind of call. */
const EACH = 6

/**
 * What advertisers sent over the last days beside what the conversions came of: late decisions, repeats, other amounts, and
 * calls of every kind that was refused. They go in by the product's own door, each at its own time.
 */
export async function makePostbacks(
  { db, clickhouse, random, now }: { db: Db; clickhouse: Clickhouse; random: Random; now: number },
  { terms, idKeys, spare }: { terms: ReadonlyMap<number, OfferTerms>; idKeys: ClickIdKeys; spare: SpareClicks },
): Promise<void> {
  const calls: Call[] = []
  const send = (call: Call) => void calls.push(call)
  const sendAll = openSender({ db, clickhouse, random, now }, { terms, idKeys })
  const idOf = ({ click, offer, affiliate }: DecidedClick) =>
    mintClickId({ at: click.at, offerId: offer, affiliateId: affiliate, random: click.random }, idKeys)
  const tokenOf = (offer: number) => terms.get(offer)?.advertiser_token ?? ''
  const isListed = (offer: number) => terms.get(offer)?.postback_auth !== 'token'
  const from = (offer: number) => (isListed(offer) ? LISTED_ADDRESS : OTHER_ADDRESS)
  const known = await listKnown(db, now)
  const of = (wanted: (one: Known) => boolean, most = EACH) => known.filter(wanted).slice(0, most)
  /** A call about a conversion, as it should be. */
  const about = (one: Known, more: Record<string, string> = {}): { fields: Record<string, string>; ip: string } => ({
    fields: {
      click_id: one.click_id,
      goal: one.code,
      status: 'approved',
      ...(one.transaction_id !== null && { txn_id: one.transaction_id }),
      token: tokenOf(one.offer_id),
      ...more,
    },
    ip: from(one.offer_id),
  })
  const plain = of(({ status, amount, code }) => (status === 'hold' || status === 'approved') && amount === null && code !== '', 60)
  const some = (index: number) => plain[index % Math.max(1, plain.length)]

  // what is no mistake
  for (const one of of(({ status }) => status === 'pending', 24)) send({ ...about(one), ago: 1 + random.next() * 20 })
  for (const one of of(({ status }) => status === 'pending', 40).slice(24))
    send({ ...about(one, { status: 'declined', reason: 'Duplicate application' }), ago: 1 + random.next() * 20 })
  for (let index = 0; index < 12; index++) {
    const one = some(index)
    if (one) send(about(one))
  }
  for (const one of of(({ amount, status }) => amount !== null && status === 'hold', 8))
    send(about(one, { amount: (Number(one.amount) * 1.2).toFixed(2), currency: one.currency }))
  for (const one of of(({ reason }) => reason === 'cap_reached', 12)) send({ ...about(one), ago: 0.5 })
  const fresh = spare.unconverted.filter(({ offer }) => (terms.get(offer)?.goals.length ?? 0) > 0)
  for (const click of fresh.slice(0, 10)) {
    const goal = terms.get(click.offer)?.goals[0]
    send({
      fields: {
        click_id: idOf(click),
        goal: goal?.code ?? '',
        status: 'pending',
        amount: '25.50',
        txn_id: `N${calls.length}`,
        token: tokenOf(click.offer),
      },
      ip: from(click.offer),
      ago: 0.2,
    })
  }
  for (const click of spare.test)
    send({
      fields: { click_id: idOf(click), status: 'approved', test: '1', token: tokenOf(click.offer) },
      ip: from(click.offer),
      ago: 3,
    })
  // their clicks never came: some are waited for, some no more
  for (const [index, click] of fresh.slice(10, 10 + 3 * EACH).entries()) {
    const lost = { ...click, click: { ...click.click, random: (click.click.random ^ 0x55aa) >>> 0 } }
    send({
      fields: { click_id: idOf(lost), status: 'approved', amount: '10', txn_id: `L${index}`, token: tokenOf(click.offer) },
      ip: from(click.offer),
      ago: index < EACH ? 0.1 + index / 20 : 26 + index,
    })
  }
  // a system that nobody has told us of yet: its calls wait for a mapping, all of one shape
  const [first] = fresh.slice(10 + 3 * EACH)
  const strange = first === undefined ? [] : fresh.slice(10 + 3 * EACH).filter(({ offer }) => offer === first.offer)
  for (const [index, click] of strange.slice(0, 4 * EACH).entries()) {
    const word = index === 7 ? 'callback' : (['sale', 'sale', 'lead', 'sale', 'reject'][index % 5] ?? 'sale')
    send({
      fields: {
        subid: idOf(click),
        type: word,
        sum: (18 + random.next() * 60).toFixed(2).replace('.', ','),
        cur: 'eur',
        lead_id: String(70_310 + index * 3),
        token: tokenOf(click.offer),
      },
      ip: from(click.offer),
      ago: 0.3 + index / 2,
    })
  }
  await sendAll(calls.splice(0))
  await attributeWaiting(db, clickhouse, now)

  const refusals = callsOf({ about, some, terms, spare, idOf, tokenOf, from, of })
  for (const calls of Object.values(refusals))
    for (let index = 0; index < EACH; index++) {
      const call = calls(index)
      if (call !== null) send(call)
    }
  await sendAll(calls)
  await countStrays(db, {
    id: crypto.randomUUID(),
    paths: ['/pb', '/postback.php', '/wp-login.php', '/api/conversion', '/robots.txt', '/.env', '/s2s', '/favicon.ico'].flatMap(
      (path, index) =>
        Array.from({ length: 3 }, (_none, day) => ({
          day: new Date(now - day * 24 * HOUR).toISOString().slice(0, 10),
          path,
          calls: 3 + ((index * 17 + day * 5) % 60),
          last_at: new Date(now - day * 24 * HOUR - index * 60_000).toISOString(),
        })),
    ),
  })
}

/** So many calls are on their way at once. */
const LANES = 6

/**
 * Sends calls as trackers hand them over, those about one offer one after the other: its caps go by who comes first.
 * Their clicks are looked up together beforehand, as those of a burst are.
 */
function openSender(
  { db, clickhouse, random, now }: { db: Db; clickhouse: Clickhouse; random: Random; now: number },
  { terms, idKeys }: { terms: ReadonlyMap<number, OfferTerms>; idKeys: ClickIdKeys },
) {
  let sent = 0
  const clicks: Awaited<ReturnType<typeof findClicks>> = new Map()
  const findClick: FindClick = async (key) => clicks.get(keyOf(key)) ?? null
  // keys and settings stay what they are while the clock moves from call to call
  const parts = { ...openReceiveParts({ db, findClick, clock: { now: () => now } }), terms: async (offer: number) => terms.get(offer) }
  return async (calls: readonly Call[]): Promise<void> => {
    const lanes = Array.from({ length: LANES }, (): (() => Promise<unknown>)[] => [])
    const keys: ClickIdParts[] = []
    for (const { fields = {}, method = 'GET', ago, ...call } of calls) {
      const at = Math.min(now, call.at ?? now - Math.round((ago ?? 1 + random.next() * 68) * HOUR))
      const text = new URLSearchParams(fields).toString()
      const handed = { id: `demo-${sent++}`, received_at: new Date(at).toISOString(), method, ip: OTHER_ADDRESS, query: text, ...call }
      const about = readClickId(fields['click_id'] ?? '', idKeys)
      if (about !== null) keys.push(about)
      lanes[(about?.offerId ?? 0) % LANES]?.push(() => receivePostback({ ...parts, clock: { now: () => at } }, handed))
    }
    for (const [key, click] of await findClicks(clickhouse, keys)) clicks.set(key, click)
    await Promise.all(
      lanes.map(async (lane) => {
        for (const one of lane) await one()
      }),
    )
  }
}

type Ways = {
  about: (one: Known, more?: Record<string, string>) => { fields: Record<string, string>; ip: string }
  some: (index: number) => Known | undefined
  terms: ReadonlyMap<number, OfferTerms>
  spare: SpareClicks
  idOf: (click: DecidedClick) => string
  tokenOf: (offer: number) => string
  from: (offer: number) => string
  of: (wanted: (one: Known) => boolean, most?: number) => Known[]
}

/** A call for each refusal, by its index; null where there is nothing to call about. */
function callsOf({ about, some, terms, spare, idOf, tokenOf, from, of }: Ways) {
  type Calls = (index: number) => Call | null
  const changed =
    (change: (call: ReturnType<Ways['about']>, one: Known, index: number) => Call): Calls =>
    (index) => {
      const one = some(index * 5 + 1)
      return one === undefined ? null : change(about(one), one, index)
    }
  const saying = (more: Record<string, string>): Calls => changed((call) => ({ ...call, fields: { ...call.fields, ...more } }))
  const without = (name: string, more: Record<string, string> = {}): Calls =>
    changed((call) => ({
      ...call,
      fields: { ...Object.fromEntries(Object.entries(call.fields).filter(([key]) => key !== name)), ...more },
    }))
  const posting = (bodyOf: (fields: Record<string, string>) => string, content_type: string, method = 'POST'): Calls =>
    changed(({ fields, ip }) => ({ ip, method, body: bodyOf(fields), content_type }))
  /** About a click that has no conversion yet, of an offer that says so. */
  const onClick =
    (
      wanted: (offer: OfferTerms, click: DecidedClick) => boolean,
      callOf: (click: DecidedClick, offer: OfferTerms) => Call,
      from_ = spare.unconverted,
    ): Calls =>
    (index) => {
      const clicks = from_.filter((click) => {
        const offer = terms.get(click.offer)
        return offer !== undefined && wanted(offer, click)
      })
      const click = clicks.at(-1 - index)
      const offer = click && terms.get(click.offer)
      return click && offer ? callOf(click, offer) : null
    }
  const plainOn = (click: DecidedClick, more: Record<string, string> = {}): Call => ({
    fields: { click_id: idOf(click), status: 'approved', token: tokenOf(click.offer), ...more },
    ip: from(click.offer),
  })
  const signed = (timestampOf: (at: number) => number): Calls =>
    changed(({ fields: { token = '', ...fields }, ip }, one) => {
      const at = signedAt(one)
      const timestamp = String(Math.floor(timestampOf(at) / 1000))
      // by a key that is no longer theirs
      const signature = createHmac('sha256', `${token}-old`)
        .update(`${timestamp}.${new URLSearchParams(fields).toString()}.`)
        .digest('hex')
      return { ip, at, fields: { ...fields, signature, timestamp } }
    })
  const calls: Partial<Record<PostbackRefusal, Calls>> = {
    click_id_missing: without('click_id'),
    click_id_elsewhere: changed((call, one) => ({ ...call, fields: { ...call.fields, click_id: '', order_ref: one.click_id } })),
    click_id_unknown: changed((call, one) => ({ ...call, fields: { ...call.fields, click_id: `${one.click_id.slice(0, -2)}zz` } })),
    token_wrong: saying({ token: 'an-old-token' }),
    signature_wrong: signed((at) => at),
    signature_stale: signed((at) => at - 2 * HOUR),
    ip_not_allowed: (index) => {
      const one = of(({ auth }) => auth === 'ip' || auth === 'both', 40)[index]
      return one === undefined ? null : { ...about(one), ip: OTHER_ADDRESS }
    },
    // a shop tells that its webhook was saved
    not_ours: changed(({ fields, ip }) => ({
      ip,
      method: 'POST',
      body: 'webhook_id=12',
      content_type: 'application/x-www-form-urlencoded',
      headers: { authorization: `Bearer ${fields['token'] ?? ''}` },
    })),
    body_invalid: posting((fields) => `${JSON.stringify(fields).slice(0, -1)},`, 'application/json'),
    body_list: posting((fields) => JSON.stringify([fields]), 'application/json'),
    body_nested: posting(({ status = '', ...fields }) => JSON.stringify({ ...fields, lead: { status } }), 'application/json'),
    body_unread: posting((fields) => `<lead><click>${fields['click_id']}</click><status>ok</status></lead>`, 'application/xml'),
    method_unread: posting((fields) => new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded', 'PATCH'),
    path_unknown: changed((call, _one, index) => ({ ...call, path: ['/pb', '/postback.php', '/s2s'][index % 3]! })),
    placeholder: saying({ status: '{status}' }),
    ambiguous: saying({ conv_status: 'declined' }),
    goal_unknown: saying({ goal: 'af_purchase' }),
    status_unknown: saying({ status: 'warming' }),
    test_call: saying({ test: '1' }),
    // where there are no cents it can be read in one way only
    amount_ambiguous: (index) => {
      const one = of(({ status, currency }) => status === 'hold' && currency !== 'JPY', 40)[index * 2]
      return one === undefined ? null : about(one, { amount: '1,234' })
    },
    amount_invalid: saying({ amount: 'many' }),
    amount_unknown: onClick(
      (offer) => offer.rules.some((rule) => rule.goal_id === offer.goals[0]?.id && Number(rule.payout_percent) > 0),
      (click, offer) => plainOn(click, { goal: offer.goals[0]?.code ?? '', txn_id: `A${click.click.random}` }),
    ),
    currency_unknown: saying({ amount: '20', currency: 'XQX' }),
    rate_missing: onClick(
      (offer) => offer.goals.length === 1,
      (click) => plainOn(click, { amount: '20', currency: 'GEL', txn_id: `R${click.click.random}` }),
    ),
    transaction_id_invalid: saying({ txn_id: 'X'.repeat(300) }),
    transaction_id_missing: onClick(
      (offer) => offer.goals.some(({ repeatable }) => repeatable),
      (click, offer) => plainOn(click, { goal: offer.goals.find(({ repeatable }) => repeatable)?.code ?? '', amount: '20' }),
    ),
    transaction_of_other_click: (index) => {
      const one = of(({ transaction_id }) => transaction_id !== null, 400)
        .filter((first) => spare.unconverted.some(({ offer }) => offer === first.offer_id))
        .at(index * 3)
      const click = spare.unconverted.find(({ offer }) => offer === one?.offer_id)
      return one && click ? { ...about(one, { click_id: idOf(click) }) } : null
    },
    already_converted: (index) => {
      const one = of(({ repeatable, transaction_id }) => !repeatable && transaction_id !== null, 40)[index * 2]
      return one === undefined ? null : about(one, { txn_id: `again-${index}`, ...(one.amount !== null && { amount: '20' }) })
    },
    click_refused: onClick(
      () => true,
      (click) => plainOn(click, { amount: '20', txn_id: `F${click.click.random}` }),
      spare.refused,
    ),
    click_expired: onClick(
      (offer, click) => offer.click_lifetime_days < 10 && click.click.at < spare.unconverted.at(-1)!.click.at - 8 * 24 * HOUR,
      (click) => ({ ...plainOn(click, { amount: '20', txn_id: `E${click.click.random}` }), ago: 0.5 }),
    ),
    too_early: onClick(
      (offer) => offer.min_conversion_time !== null,
      (click) => ({ ...plainOn(click, { amount: '20', txn_id: `S${click.click.random}` }), at: click.click.at + 9_000 }),
    ),
    too_late: onClick(
      (offer, click) =>
        offer.max_conversion_time !== null &&
        click.click.at + offer.max_conversion_time * 1000 < spare.unconverted.at(-1)!.click.at - 4 * HOUR,
      (click) => ({ ...plainOn(click, { amount: '20', txn_id: `Z${click.click.random}` }), ago: 0.4 }),
    ),
    transition_not_allowed: (index) => {
      const one = of(({ status }) => status === 'trash', 40)[index]
      return one === undefined ? null : about(one, one.amount === null ? {} : { amount: one.amount })
    },
  }
  return calls
}

/** Some time of the last two days. */
function signedAt(one: Known): number {
  return one.until - (one.created_at.getTime() % (40 * HOUR))
}

async function listKnown(db: Db, now: number) {
  const rows = await db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('advertiser as v', 'v.id', 'c.advertiser_id')
    .select(['c.click_id', 'c.offer_id', 'c.transaction_id', 'c.status', 'c.reason', 'c.amount', 'c.currency', 'c.created_at'])
    .select(['g.code', 'g.repeatable', 'v.postback_auth as auth'])
    .where('c.created_at', '<', new Date(now - 3 * 24 * HOUR))
    // what became of leads is told otherwise
    .where('c.offer_id', 'not in', db.selectFrom('api_offer').select('offer_id'))
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id')
    .limit(1_500)
    .execute()
  return rows.map((row) => ({ ...row, until: now }))
}
