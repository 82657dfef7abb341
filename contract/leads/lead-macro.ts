/** What a call to an advertiser may say of a lead, beside `lead.fields.<name>`: what its kind of integration asks for in addition. */
export const LEAD_MACROS = [
  'lead.first_name',
  'lead.last_name',
  'lead.full_name',
  'lead.email',
  'lead.phone',
  'lead.password',
  'lead.country',
  'lead.region',
  'lead.city',
  'lead.zip',
  'lead.address',
  'lead.language',
  'lead.gender',
  'lead.birth_date',
  'lead.tz',
  'lead.ip',
  'lead.user_agent',
  'lead.os',
  'lead.device',
  'lead.browser',
  'lead.landing_url',
  'lead.funnel',
  'lead.comment',
  'lead.created_at',
  'lead.traffic_type',
  'lead.consent_at',
  'lead.consent_proof',
  ...Array.from({ length: 10 }, (_, at) => `lead.sub${at + 1}`),
] as const

/** Whom it came by, and by which names the send is known to both sides. */
export const SEND_MACROS = [
  'session.uuid',
  'send.lead_id',
  'send.attempt',
  'click.id',
  'aff.id',
  'offer.id',
  'product.host',
  'now.at',
  'now.unix',
] as const

/** What a pull is about: moments `from` and `to`, the page, and the ids asked about, joined or each by itself. */
export const POLL_MACROS = ['poll.from', 'poll.to', 'poll.page', 'poll.offset', 'poll.cursor', 'poll.ids', 'poll.each_id'] as const

/** What may stand behind a macro: `{{lead.phone | e164 | strip_plus}}`. */
export const TRANSFORM_NAMES = [
  'lower',
  'upper',
  'trim',
  'digits',
  'strip_plus',
  'first_word',
  'rest_words',
  'urlencode',
  'base64',
  'json',
  'e164',
  'national',
  'dial_code',
  'default',
  'concat',
  'prefix',
  'substr',
  'replace',
  'hash',
  'hmac',
  'date',
  'lookup',
  'password',
] as const
