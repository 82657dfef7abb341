import { sql } from 'kysely'
import { partnerOfferFilters } from '#contract/offers/partner-offer.ts'
import type { Actor } from '#server/access/actor.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { keepFile } from '#server/features/network/file/file.service.ts'
import { answerTicket, createTicket } from '#server/features/network/ticket/answer.service.ts'
import { decideOfferRequest } from '#server/features/network/ticket/offer-request.service.ts'
import { createTemplate } from '#server/features/network/ticket/template.service.ts'
import { assignTickets, changeTicketStatus, closeTicket } from '#server/features/network/ticket/ticket.service.ts'
import { listPartnerOffers } from '#server/features/offers/partner-offer/partner-offer.queries.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { fileOf, type DemoFile } from './files.ts'
import { FIRST_TALKS } from './first-talks.ts'
import { OTHER_TALKS } from './other-talks.ts'
import type { Talk } from './talk.ts'
import { TAKEN_UP, TEMPLATES } from './templates.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export type TicketPeople = {
  admin: Actor
  head: Actor
  /** Those who own partners, in the order partners are dealt out. */
  managers: readonly Actor[]
  /** Those who are active, in the order of the demo's list, in which they come first. */
  affiliates: readonly Actor[]
}

type Made = { talk: Talk; uuid: string; id: number }

/** What affiliates asked over the last two months and what staff answered, as they would have said it, in the order of time. */
export async function makeTickets({ db, store }: { db: Db; store: FileStore }, now: number, people: TicketPeople): Promise<void> {
  for (const template of TEMPLATES) await createTemplate(db, now - 60 * DAY, people.admin, template)
  const made: Made[] = []
  const files = fileKeeper(db, store)
  for (const talk of [...FIRST_TALKS, ...OTHER_TALKS].toSorted((one, other) => other.days - one.days)) {
    const them = writerOf(people, talk.of)
    made.push({ talk, ...(await makeTalk(db, now, { talk, them, people, files })) })
  }
  const first = made.find(({ talk }) => talk.subject === TAKEN_UP.first)
  if (first) {
    const said = { key: keyOf('taken up'), body: TAKEN_UP.body, files: [], internal: false, seen: null, close: false }
    await answerTicket(db, now - TAKEN_UP.days * DAY, writerOf(people, TAKEN_UP.of), first.uuid, said)
  }
  await settle(db, made)
}

function writerOf({ affiliates }: TicketPeople, place: number): Actor {
  const writer = affiliates[place]
  if (writer === undefined) throw new Error(`nobody at place ${place} of the demo network can write`)
  return writer
}

async function makeTalk(
  db: Db,
  now: number,
  { talk, them, people, files }: { talk: Talk; them: Actor; people: TicketPeople; files: ReturnType<typeof fileKeeper> },
): Promise<{ uuid: string; id: number }> {
  const us = talk.by === undefined ? (people.managers[talk.of % people.managers.length] ?? people.admin) : people[talk.by]
  let at = now - talk.days * DAY
  const [[, , body = '', file] = ['them', 0]] = talk.steps
  const { uuid, id } = await createTicket(db, at, them, {
    key: keyOf(`${talk.subject} ${talk.of}`),
    subject: talk.subject,
    category: talk.about,
    priority: talk.how ?? 'normal',
    body,
    files: await files(at, them, file),
    offer_uuid: talk.about === 'offer_request' ? await wantedOffer(db, at, affiliateOf(them)) : null,
    affiliate_uuid: null,
  })
  for (const [place, [who, hours, words = '', brought]] of talk.steps.entries()) {
    if (place === 0) continue
    at += hours * HOUR
    const key = keyOf(`${talk.subject} ${talk.of} ${place}`)
    if (who === 'shut') await closeTicket(db, at, us, uuid)
    else if (who === 'work') await changeTicketStatus(db, at, us, { uuids: [uuid], status: 'open' })
    // whosever the offer is
    else if (who === 'approve' || who === 'reject')
      await decideOfferRequest(db, at, people.admin, uuid, { key, status: who === 'approve' ? 'approved' : 'rejected', reason: words })
    else {
      const by = who === 'them' ? them : us
      const said = { key, body: words, files: await files(at, by, brought), internal: who === 'note', seen: null, close: false }
      await answerTicket(db, at, by, uuid, said)
    }
  }
  const to = talk.to === undefined ? (talk.steps.length > 1 ? us : null) : talk.to === 'nobody' ? null : people[talk.to]
  if (to !== null) await assignTickets(db, at, to, { uuids: [uuid], assignee_uuid: to.uuid })
  return { uuid, id }
}

/** An offer somebody may ask for: one it hasn't asked for, else one it waits for or was refused. */
async function wantedOffer(db: Db, at: number, affiliateId: number): Promise<string> {
  const filters = partnerOfferFilters.parse({ access: ['none', 'pending', 'rejected'], count: 20, sort: 'access' })
  const { list } = await listPartnerOffers(db, at, affiliateId, filters)
  const offer = list.find(({ access }) => access === 'none') ?? list.find(({ access }) => access === 'pending') ?? list[0]
  if (offer === undefined) throw new Error(`affiliate ${affiliateId} of the demo network has no offer to ask for`)
  return offer.uuid
}

/** Keeps files as uploads are kept. */
function fileKeeper(db: Db, store: FileStore) {
  let place = 0
  return async (at: number, actor: Actor, kind: DemoFile | undefined): Promise<string[]> => {
    if (kind === undefined) return []
    const { name, bytes } = await fileOf(kind, ++place)
    const kept = await keepFile({ db, store, limit: () => () => undefined }, at, actor, { kind: 'ticket', name }, bytes)
    return [kept.uuid]
  }
}

/** Everybody has read all, of what is new what was there when their side last wrote; nothing of it is mailed. */
async function settle(db: Db, made: readonly Made[]): Promise<void> {
  const fresh = made.filter(({ talk }) => talk.unread).map(({ id }) => id)
  await sql`
    insert into ticket_reader (ticket_id, account_id, read_id)
    select t.id, a.id, max(m.id) from ticket t
      join affiliate f on f.id = t.affiliate_id
      join account a on a.id = f.account_id or a.role in ('admin', 'head') or a.id = (select o.account_id from manager o where o.id = f.manager_id)
      join ticket_message m on m.ticket_id = t.id and m.kind <> 'note' and (t.id <> all(${fresh}::int[]) or m.by_staff = (a.role <> 'affiliate'))
     group by t.id, a.id
    on conflict (ticket_id, account_id) do update set read_id = excluded.read_id`.execute(db)
  await sql`
    update notification set read_at = at + interval '20 minutes', count = 1
     where ticket_id is not null and ticket_id <> all(${fresh}::int[])`.execute(db)
  await db.updateTable('ticket_message').set({ mail_due: false }).execute()
}

/** The same words name the same call in every demo. */
function keyOf(words: string): string {
  let bits = 0xcbf29ce484222325n
  for (const byte of Buffer.from(words)) bits = ((bits ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn
  const hex = bits.toString(16).padStart(16, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13)}-8${hex.slice(1, 4)}-${hex.slice(0, 12)}`
}
