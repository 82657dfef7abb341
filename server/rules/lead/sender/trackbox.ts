import { renameFields, textOf, type ReadLead, type SentBody } from './read-lead.ts'

const NAMES: Readonly<Record<string, string>> = {
  gi: 'offer_uuid',
  firstname: 'first_name',
  lastname: 'last_name',
  email: 'email',
  phone: 'phone',
  password: 'password',
  userip: 'ip',
  so: 'funnel',
  sub: 'source',
  affclickid: 'external_id',
  lg: 'language',
  country: 'country',
  ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`MPC_${at + 1}`, `sub${at + 1}`])),
}

/**
 * A lead as a TrackBox-like system pushes it (`/api/signup/procform`): `gi` is the number of our offer, `ai` of the affiliate,
 * `affclickid` what the sender calls the lead. Telephones begin with their country, which is what the lead is of where no country is told.
 * From their public documentation; not seen live.
 */
export function readTrackBox(
  body: SentBody,
  countryOf: (phone: string) => string | undefined,
): ReadLead & { refused: Record<string, string> } {
  const read = renameFields(body, NAMES, ['ai', 'ci'])
  const { lead } = read
  if (typeof lead.language === 'string') lead.language = lead.language.toLowerCase()
  const country = lead.country === undefined ? countryOf(textOf(lead.phone) ?? '') : String(lead.country).toUpperCase()
  if (country !== undefined) lead.country = country
  return read
}
