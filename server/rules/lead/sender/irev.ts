import { isSaidYes, renameFields, textOf, type ReadLead, type SentBody } from './read-lead.ts'

const NAMES: Readonly<Record<string, string>> = {
  offer_id: 'offer_uuid',
  first_name: 'first_name',
  last_name: 'last_name',
  email: 'email',
  phone: 'phone',
  password: 'password',
  ip: 'ip',
  country_code: 'country',
  lead_language: 'language',
  aff_sub: 'sub1',
  ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`aff_sub${at + 2}`, `sub${at + 2}`])),
}

/**
 * A lead as an IREV-like system pushes it (affiliate API v2): `offer_id` is the number of our offer, `aff_sub5` what the sender calls the
 * lead, or `test`. From their public documentation; not seen live.
 */
export function readIrev(body: SentBody): ReadLead & { refused: Record<string, string> } {
  const read = renameFields(body, NAMES, ['affiliate_id', 'is_test'])
  const { lead } = read
  const own = textOf(body.aff_sub5) ?? ''
  const isTest = isSaidYes(body.is_test) || own.toLowerCase() === 'test'
  if (isTest) lead.test = true
  if (own !== '' && own.toLowerCase() !== 'test') lead.external_id = own
  if (typeof lead.country === 'string') lead.country = lead.country.toUpperCase()
  if (typeof lead.language === 'string') lead.language = lead.language.toLowerCase()
  return { ...read, names: { ...read.names, external_id: 'aff_sub5' } }
}
