import type { Actor } from '#server/access/actor.ts'
import { ensureHouse } from '#server/features/leads/recold/house.service.ts'
import { loadTerms, type OfferTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { draftConversion, type ConversionClick } from '#server/features/traffic/conversion/draft.service.ts'
import type { ConversionDraft } from '#server/features/traffic/conversion/change.ts'
import { pricesAt } from '#server/features/leads/api-offer/cascade.queries.ts'
import { goalCode, leadClick, payingTerms, pricedTerms, type LeadGoal } from '#server/features/leads/status/book.service.ts'
import { secretsOf, valuesOf } from '#server/features/leads/call/lead-values.ts'
import { keeping } from '#server/features/leads/call/make-call.service.ts'
import { KEY_ID, openLeadVault, type LeadVault } from '#server/features/leads/session/vault.ts'
import { insertRows, insertRowsReturning } from '#server/platform/pg/bulk.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { mintClickId, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { memberPriceFor } from '#server/rules/lead/member-price.ts'
import { storeSales, storeSold } from './store-second-sale.ts'
import { callsOf, type ToldBy } from './call-centre.ts'
import type { Drawn, DrawnPerson, DrawnSend, DrawnSession } from './drawn.ts'
import { SYSTEMS } from './systems.ts'
import { storeVisits } from './visits.ts'

type Parts = { secretKey: string; idKeys: ClickIdKeys; now: number; admin: Actor }

/** Writes leads as the product would have, and answers the conversions they came to, in order of time. */
export async function storeLeads(trx: Trx, { sessions, people, counters, sales }: Drawn, parts: Parts): Promise<ConversionDraft[]> {
  const vault = openLeadVault(parts.secretKey)
  const personIds = await storePeople(trx, people, vault)
  const told = new Map(sessions.flatMap(({ sends }) => sends.map((send) => [send, callsOf(send, parts.now)] as const)))
  const rows = new Map(sessions.map((session) => [session, sessionRow(session, personIds, told, vault, parts)]))
  const ids = new Map<string, string>()
  const storeSessions = async (some: readonly DrawnSession[]) => {
    const made = await insertRowsReturning(
      trx,
      'user_session',
      some.flatMap((session) => rows.get(session) ?? []),
      ['id', 'uuid'],
    )
    for (const { id, uuid } of made) ids.set(uuid, id)
  }
  await storeSessions(sessions.filter(({ cold }) => cold === null))
  const house = await ensureHouse(trx, parts.now - 20 * DAY)
  const names = { sessions: ids, persons: (session: DrawnSession) => personIds.get(session.person) ?? '' }
  const kept = await storeSales(trx, sales, { ...names, house, admin: parts.admin })
  for (const [session, row] of rows) {
    if (session.cold === null) continue
    row.recold_id = kept.get(session.cold)?.id ?? null
    if (row.affiliate_id === 0) Object.assign(row, { affiliate_id: house, click_id: clickIdOf({ ...session, affiliateId: house }, parts) })
  }
  await storeSessions(sessions.filter(({ cold }) => cold !== null))
  await storeSold(trx, kept, { ...names, statusOf: (session) => rows.get(session)?.status ?? '' })
  const bookable = sessions.map((session) => ({ session, row: { ...rows.get(session)!, id: ids.get(session.uuid) ?? '' } })) // a row for each
  const sends = bookable
    .flatMap(({ session, row }) => session.sends.map((send) => ({ session, row, send })))
    .toSorted((a, b) => a.send.askedAt - b.send.askedAt)
  const stored = await insertRowsReturning(
    trx,
    'lead_send',
    sends.map(({ row, send }) => sendRow(send, row, vault, parts.secretKey)),
    ['id', 'uuid'],
  )
  const sendIds = new Map(stored.map(({ id, uuid }) => [uuid, id]))
  await storeVisits(trx, sends, sendIds, parts.now)
  const statuses = sends.flatMap(({ send }) => (told.get(send) ?? []).map((one) => ({ send, one })))
  await insertRows(
    trx,
    'lead_status',
    statuses
      .toSorted((a, b) => a.one.at - b.one.at)
      .map(({ send, one }) => ({
        send_id: sendIds.get(send.uuid),
        at: new Date(one.at),
        source: SYSTEMS[send.product.seller.system].list === undefined ? 'push' : 'pull',
        raw: one.word,
        status: one.status,
        sale: one.sale,
        deposit: one.goal === 'approved' ? 'first' : '',
        amount: one.amount,
        booked: one.goal === null ? '' : 'created',
      })),
  )
  await storeWords(trx, statuses)
  const filled = [...counters.values()].filter(({ used }) => used > 0)
  await insertRows(
    trx,
    'lead_counter',
    filled.map((counter) => ({ ...counter, starts: new Date(counter.starts) })),
  )
  await storePulls(trx, sends, parts.now)
  for (const { id, turn, strategy } of new Set(sessions.flatMap(({ offer }) => offer.groups)))
    if (strategy === 'round_robin')
      await trx
        .updateTable('offer_group')
        .set({ turns: String(turn) })
        .where('id', '=', id)
        .execute()
  return draftsOf(trx, bookable, told, parts)
}

async function storePeople(trx: Trx, people: readonly DrawnPerson[], vault: LeadVault): Promise<Map<DrawnPerson, string>> {
  const hashes = people.map(({ phone, email }) => ({
    phone_hash: vault.hash('phone', phone),
    email_hash: email === '' ? null : vault.hash('email', email),
  }))
  const made = await insertRowsReturning(
    trx,
    'person',
    people.map(({ told, person, test, first, last }, at) => ({
      uuid: crypto.randomUUID(),
      ...hashes[at],
      key_id: KEY_ID,
      sealed: vault.sealTold(told),
      country: person.country,
      language: person.language,
      gender: person.gender,
      test,
      first_seen_at: new Date(first),
      last_seen_at: new Date(last),
    })),
    ['id', 'phone_hash', 'email_hash', 'test'],
  )
  const nameOf = (of: { phone_hash: Buffer | null; email_hash: Buffer | null }, test: boolean) =>
    `${of.phone_hash?.toString('hex')} ${of.email_hash?.toString('hex')} ${test}`
  const ids = new Map(made.map((row) => [nameOf(row, row.test), row.id]))
  return new Map(people.map((one, at) => [one, ids.get(nameOf(hashes[at]!, one.test)) ?? ''])) // a hash for each
}

const DAY = 86_400_000
type Told = ReadonlyMap<DrawnSend, readonly ToldBy[]>

function sessionRow(
  session: DrawnSession,
  personIds: ReadonlyMap<DrawnPerson, string>,
  told: Told,
  vault: LeadVault,
  { idKeys }: Pick<Parts, 'idKeys'>,
) {
  const { offer, receivedAt, person } = session
  const said = session.sends.flatMap((send) => told.get(send) ?? [])
  const known = said.filter(({ status }) => status !== null)
  const date = (at: number | null) => (at === null ? null : new Date(at))
  return {
    uuid: session.uuid,
    person_id: personIds.get(person) ?? '',
    affiliate_id: session.affiliateId,
    offer_id: offer.id,
    landing_id: null,
    click_id: clickIdOf(session, { idKeys }),
    recold_id: null as number | null,
    external_id: session.externalId,
    origin: session.origin,
    traffic_type: session.cold === null ? ('warm' as const) : ('cold' as const),
    test: person.test,
    status: known.findLast(({ becomes }) => becomes !== null)?.becomes ?? session.status,
    reason: session.reason,
    call_status: known.at(-1)?.status ?? null,
    told: session.told,
    sealed: vault.sealTold(session.sealedTold),
    consent: session.consent,
    country: person.person.country,
    draw: session.draw,
    trace: session.trace,
    attempts: session.attempts,
    next_try_at: date(session.nextTryAt),
    leased_until: null,
    received_at: new Date(receivedAt),
    decided_at: date(session.decidedAt),
    changed_at: new Date(known.at(-1)?.at ?? session.changedAt),
  }
}
function clickIdOf({ receivedAt, offer, affiliateId, bits }: DrawnSession, { idKeys }: Pick<Parts, 'idKeys'>): string {
  return mintClickId({ at: receivedAt, offerId: offer.id, affiliateId, random: bits }, idKeys)
}

type SessionRow = ReturnType<typeof sessionRow> & { id: string }

function sendRow(send: DrawnSend, row: SessionRow, vault: LeadVault, secretKey: string) {
  const { judged, product, answer } = send
  const { spec, seller } = product
  const { account } = SYSTEMS[seller.system]
  const person = openLeadVault(secretKey).openTold(row.sealed)
  const values = valuesOf(row, person, { uuid: send.uuid, attempt: send.attempt, host: seller.host, account, now: send.askedAt })
  const hidden = secretsOf(spec)
  const answered = {
    status: answer.status,
    error: answer.failure === 'timeout' ? ('timed_out' as const) : ('' as const),
    headers: answer.headers,
    body: answer.body,
    durationMs: send.answeredAt - send.askedAt,
  }
  const call = keeping('', spec.request, { spec, values, hidden, country: row.country })(answered, judged)
  const { external_id, redirect_url, price } = judged.extracted
  return {
    uuid: send.uuid,
    session_id: row.id,
    person_id: row.person_id,
    product_id: product.id,
    advertiser_id: product.advertiserId,
    member_id: send.member.id,
    version_id: product.versionId,
    attempt: send.attempt,
    status: send.status,
    outcome: judged.outcome,
    reason: judged.reason.slice(0, 500),
    external_id: external_id ?? null,
    redirect: redirect_url === undefined ? null : vault.sealText(redirect_url),
    price: price ?? null,
    http_status: answer.status,
    call: vault.sealText(JSON.stringify([call])),
    asked_at: new Date(send.askedAt),
    answered_at: new Date(send.answeredAt),
  }
}

/** Words nobody has mapped, and how often they came. */
async function storeWords(trx: Trx, statuses: readonly { send: DrawnSend; one: ToldBy }[]): Promise<void> {
  const unknown = statuses.filter(({ one }) => one.status === null)
  const groups = Map.groupBy(unknown, ({ send, one }) => `${send.product.integrationId} ${one.normal}`)
  await insertRows(
    trx,
    'lead_word',
    [...groups.values()].flatMap((group) => {
      const [first] = group
      if (first === undefined) return []
      const moments = group.map(({ one }) => one.at)
      return {
        integration_id: first.send.product.integrationId,
        word: first.one.normal,
        first_seen_at: new Date(Math.min(...moments)),
        last_seen_at: new Date(Math.max(...moments)),
        seen: group.length,
      }
    }),
  )
}

/** Products whose systems are asked: each was a few minutes ago. */
async function storePulls(trx: Trx, sends: readonly { send: DrawnSend }[], now: number): Promise<void> {
  const asked = new Map(sends.flatMap(({ send }) => (send.product.spec.pull === null ? [] : [[send.product.id, send.product] as const])))
  await insertRows(
    trx,
    'product_pull',
    [...asked.keys()].map((id) => {
      const ago = ((id * 97) % 13) * 60_000
      return {
        product_id: id,
        due_at: new Date(now - ago + 15 * 60_000),
        pulled_at: new Date(now - ago),
        error: '',
        failures: 0,
        silent: 0,
      }
    }),
  )
}

/** What was booked: an acceptance by its first goal, what came of it by its last. */
async function draftsOf(
  trx: Trx,
  booked: readonly { session: DrawnSession; row: SessionRow }[],
  told: Told,
  { secretKey, now }: Parts,
): Promise<ConversionDraft[]> {
  const termsOf = new Map<string, OfferTerms>()
  const drafts: ConversionDraft[] = []
  for (const { session, row } of booked) {
    const send = session.sends.find(({ status }) => status === 'accepted')
    if (send === undefined) continue
    const { id, plan } = session.offer
    const key = `${id} ${send.product.advertiserId}`
    const terms = termsOf.get(key) ?? (await loadTerms(trx, [id], send.product.advertiserId)).get(id)
    if (terms === undefined) throw new Error(`the demo has no terms of ${plan.title}`)
    termsOf.set(key, terms)
    const click = leadClick(secretKey, row, session.receivedAt)
    const book = (goal: LeadGoal, status: 'approved' | 'declined', amount: string | null, at: number) => {
      const draft = draftOf(
        { terms, click, send, country: row.country, isPaid: session.cold?.plan.payout !== 'none' },
        goalCode(plan.type, goal),
        { status, amount, at, now },
      )
      if (draft !== null) drafts.push(draft)
    }
    book('accepted', 'approved', null, send.answeredAt)
    for (const { goal, amount, at } of told.get(send) ?? [])
      if (goal !== null) book('paid', goal, goal === 'approved' && amount !== '' ? amount : null, at)
  }
  return drafts.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
}

function draftOf(
  { terms, click, send, country, isPaid }: { terms: OfferTerms; click: ConversionClick; send: DrawnSend; country: string; isPaid: boolean },
  code: string | undefined,
  { status, amount, at, now }: { status: 'approved' | 'declined'; amount: string | null; at: number; now: number },
): ConversionDraft | null {
  const goal = terms.goals.find((one) => one.code === code)
  if (goal === undefined) return null
  const price = memberPriceFor(pricesAt(send.member), goal.code, country)
  const report = { status, amount, currency: null, transactionId: send.uuid, reason: '', converted: amount }
  const priced = pricedTerms(terms, goal.id, price)
  return draftConversion(isPaid ? priced : payingTerms(priced, '0'), goal, click, report, at, now)
}
