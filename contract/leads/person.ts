import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line, moment, reference, requiredLine, uuid } from '#contract/fields.ts'
import { leadStatus } from './lead.ts'
import { revealReason } from './reveal.ts'

/** Somebody as the list of a search shows them: masked. */
const found = z.object({
  uuid,
  id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  first_seen_at: moment,
  last_seen_at: moment,
  sessions: z.int(),
  suppressed_at: moment.nullable(),
  restricted_at: moment.nullable(),
  erased_at: moment.nullable(),
})
export type FoundPerson = z.output<typeof found>

/** Whom the network gave somebody who was erased, and whether they were told. */
const notice = z.object({
  uuid,
  advertiser: reference.extend({ email: z.string() }),
  first_at: moment,
  last_at: moment,
  /** By which names they know the leads. */
  leads: z.array(z.string()),
  told_at: moment.nullable(),
  told_by: z.string().nullable(),
  note: z.string(),
})
export type RecipientNotice = z.output<typeof notice>

/** The most of each list a card shows, newest first. */
export const MOST_ON_CARD = 200

/** All that is held of somebody, who it is masked. */
const card = found.extend({
  /** Where they opt out by themselves. */
  opt_out_url: z.string(),
  sessions_list: z.array(
    z.object({
      uuid,
      id: z.string(),
      received_at: moment,
      offer: z.string(),
      affiliate: z.string(),
      status: leadStatus,
      consent_at: z.string(),
      consent_proof: z.string(),
    }),
  ),
  recipients: z.array(
    z.object({
      at: moment,
      advertiser: z.string(),
      product: z.string(),
      status: z.string(),
      session_id: z.string(),
      external_id: z.string(),
    }),
  ),
  lists: z.array(z.object({ title: z.string(), added_at: moment, removed_at: moment.nullable() })),
  reveals: z.array(z.object({ at: moment, by: z.string(), reason: revealReason, note: z.string() })),
  notices: z.array(notice),
})
export type PersonCard = z.output<typeof card>

/** Why something is done with a person's data: it stands in the log, so it must not name them. */
const why = requiredLine(300).min(5, 'Say it in a few words')
const params = z.object({ uuid })

/** What people ask about their data: what is held of them, where it went, and that it is mended, rested or forgotten. */
export const personApi = {
  find: endpoint({
    method: 'POST',
    path: '/api/person/v1/find',
    access: 'person.manage',
    reads: true,
    summary: 'People of a whole e-mail address or telephone, or of a lead by its uuid or number; masked, at most 50.',
    body: z.object({ search: requiredLine(254) }),
    response: z.object({ list: z.array(found) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/person/v1/get/:uuid',
    access: 'person.manage',
    summary: 'What is held of somebody: sessions, recipients, lists, consents, reveals, and who has to be told of an erasure.',
    params,
    response: card,
  }),
  export: endpoint({
    method: 'POST',
    path: '/api/person/v1/export/:uuid',
    access: 'person.manage',
    key: 'never',
    summary: 'All that is held of somebody in the clear, as a file to hand over; logged with the reason.',
    params,
    body: z.object({ format: z.enum(['json', 'csv']), reason: why }),
    response: z.object({ file_name: z.string(), content: z.string() }),
  }),
  rectify: endpoint({
    method: 'POST',
    path: '/api/person/v1/rectify/:uuid',
    access: 'person.manage',
    summary: 'Mends who somebody is, in all their sessions; what is left out stays. Refused where another person has these contacts.',
    params,
    body: z.object({
      first_name: line(100).optional(),
      last_name: line(100).optional(),
      email: line(254).optional(),
      phone: line(40).optional(),
      reason: why,
    }),
    response: z.object({ changed: z.array(z.string()) }),
  }),
  restrict: endpoint({
    method: 'POST',
    path: '/api/person/v1/restrict/:uuid',
    access: 'person.manage',
    summary: 'Keeps somebody from being offered to anybody, or lets them be offered again.',
    params,
    body: z.object({ restricted: z.boolean(), reason: why }),
    response: z.object({ changed: z.int() }),
  }),
  erase: endpoint({
    method: 'POST',
    path: '/api/person/v1/erase/:uuid',
    access: 'person.manage',
    key: 'never',
    summary:
      'Forgets who somebody is, everywhere and for good, suppresses their contacts, and lists whom the network has to tell. Twice changes nothing.',
    params,
    body: z.object({ reason: why }),
    response: z.object({ changed: z.int(), notices: z.array(notice) }),
  }),
  told: endpoint({
    method: 'POST',
    path: '/api/person/v1/told',
    access: 'person.manage',
    summary: 'Notes that advertisers were told of an erasure; said twice it stays as it was.',
    body: z.object({ uuids: z.array(uuid).min(1).max(100), note: line(200).default('') }),
    response: z.object({ changed: z.int() }),
  }),
  toTell: endpoint({
    method: 'GET',
    path: '/api/person/v1/to-tell',
    access: 'person.manage',
    summary: 'Advertisers that have not been told of erasures yet, the longest ago first; at most 200.',
    response: z.object({ list: z.array(notice.extend({ person_uuid: uuid, erased_at: moment })) }),
  }),
}
