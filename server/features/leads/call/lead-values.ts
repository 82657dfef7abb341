import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { Told } from '#server/features/leads/session/vault.ts'
import type { Values } from '#server/rules/lead/integration/template.ts'
import type { Tables } from '#server/platform/pg/database.ts'
import type { Selectable } from 'kysely'
import { LOG_IN_MARGIN } from './token.service.ts'

type Called = Pick<
  Selectable<Tables['user_session']>,
  'uuid' | 'click_id' | 'affiliate_id' | 'offer_id' | 'told' | 'received_at' | 'traffic_type' | 'consent'
>

/** What the macros of a call stand for, of one lead and one send of it. */
export function valuesOf(
  session: Called,
  person: Told,
  send: { uuid: string; attempt: number; host: string; account: Readonly<Record<string, string>>; now: number; optOut?: string },
): Values {
  const open = session.told
  const text = (name: string) => (typeof open[name] === 'string' ? open[name] : '')
  const subs = Array.isArray(open.subs) ? open.subs.map(String) : []
  const consent = session.consent ?? {}
  const said = (name: string) => (typeof consent[name] === 'string' ? consent[name] : '')
  return {
    ...Object.fromEntries(Object.entries(person).map(([name, value]) => [`lead.${name}`, value])),
    'lead.full_name': [person.first_name, person.last_name].filter(Boolean).join(' '),
    'lead.region': '',
    ...Object.fromEntries(['tz', 'os', 'device', 'browser', 'landing_url', 'funnel'].map((name) => [`lead.${name}`, text(name)])),
    ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`lead.sub${at + 1}`, subs[at] ?? ''])),
    'lead.created_at': session.received_at.toISOString(),
    // of a second sale when they registered first
    'lead.registered_at': text('registered_at') || session.received_at.toISOString(),
    'lead.traffic_type': session.traffic_type,
    'lead.consent_at': said('given_at'),
    'lead.consent_proof': said('proof_url'),
    'lead.opt_out_url': send.optOut ?? '',
    'session.uuid': session.uuid,
    'send.lead_id': send.uuid,
    'send.attempt': String(send.attempt),
    'click.id': session.click_id,
    'aff.id': String(session.affiliate_id),
    'offer.id': String(session.offer_id),
    ...accountValues(send.host, send.account),
    'now.at': new Date(send.now).toISOString(),
    'now.unix': String(Math.floor(send.now / 1000)),
  }
}

/** Which fields a lead has something in, by the names of the lead API. */
export function fieldsOf(session: Called, person: Told): Set<string> {
  const values = valuesOf(session, person, { uuid: 'x', attempt: 1, host: '', account: {}, now: 0 })
  return new Set(
    Object.entries(values).flatMap(([name, value]) => (name.startsWith('lead.') && value !== '' ? [name.slice('lead.'.length)] : [])),
  )
}

/** Where a product answers, and its account. */
export function accountValues(host: string, account: Readonly<Record<string, string>>): Values {
  return { 'product.host': host, ...Object.fromEntries(Object.entries(account).map(([key, value]) => [`cred.${key}`, value])) }
}

/** What the first page of a question about leads is asked with: those of some ids, or sent in between. */
export function pollValues(pull: NonNullable<IntegrationSpec['pull']>, ids: readonly string[], from: number, until: number): Values {
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

/** The macros of a spec that hold secrets. */
export function secretsOf(spec: IntegrationSpec): string[] {
  return spec.credentials.filter(({ secret }) => secret).map(({ key }) => `cred.${key}`)
}

/** The longest a send by a spec may take, in ms: a log-in of somebody else is waited for, and one refused is made anew. */
export function longestCall({ steps, request }: IntegrationSpec): number {
  const once = steps.reduce((sum, step) => sum + step.request.timeout_ms, request.timeout_ms)
  const kept = steps.filter(({ keep_seconds }) => keep_seconds > 0)
  return kept.reduce((sum, step) => sum + 2 * (step.request.timeout_ms + LOG_IN_MARGIN), kept.length > 0 ? 2 * once : once)
}
