import { advertiserInput, blankAdvertiser } from '#contract/people/advertiser.ts'
import { affiliateInput, blankAffiliate } from '#contract/people/affiliate.ts'
import { IMPORT_FIELDS, type ImportedKind, type ImportField, type ImportOptions, type Mapping } from '#contract/people/import.ts'
import { NO_PHONE } from '#contract/people/phone.ts'
import type { z } from 'zod'
import { timeZone } from '#contract/fields.ts'
import { readPhone } from '#server/rules/phone.ts'
import { choicesOf } from '#server/features/network/constant/constant.service.ts'
import { countryOf } from './country.ts'

/** What rows may refer to. */
export type References = {
  timeZone: string
  currencies: ReadonlySet<string>
  /** By number, and in lower case by e-mail and by name; null where several are called so. */
  managers: ReadonlyMap<string, string | null>
}
type Inputs = { affiliate: z.output<typeof affiliateInput>; advertiser: z.output<typeof advertiserInput> }
export type ReadRow<Kind extends ImportedKind> =
  | { input: Inputs[Kind]; problems?: undefined }
  | { input?: undefined; problems: Record<string, string> }

/** What a row says, as the form of its kind would hold it; or what is wrong with it, by field. */
export function readRow<Kind extends ImportedKind>(
  kind: Kind,
  cells: readonly string[],
  { mapping, options, references }: { mapping: Mapping; options: ImportOptions; references: References },
): ReadRow<Kind> {
  const problems: Record<string, string> = {}
  const said = (field: ImportField) => {
    const place = mapping[field]
    return place === undefined ? '' : (cells[place] ?? '')
  }
  const country = said(kind === 'affiliate' ? 'country' : 'company.country')
  const code = country === '' ? null : countryOf(country)
  const values: Record<string, unknown> = {
    ...(kind === 'affiliate' ? { ...blankAffiliate, time_zone: references.timeZone } : blankAdvertiser),
    status: options.status,
    currency: options.currency,
    manager_uuid: options.manager_uuid,
  }
  // imports begun before there was a choice hold none
  const replaced: readonly string[] = (options as Partial<ImportOptions>).replaced ?? []
  for (const field of IMPORT_FIELDS[kind]) {
    const text = said(field)
    if (text === '') continue
    const read = READ[field]?.(text, { kind, references, country: code }) ?? { value: text }
    // what the whole file takes instead stands there already
    if (read.value === undefined && replaced.includes(field)) continue
    if (read.value === undefined) problems[field] = read.problem ?? 'Not understood'
    else put(values, field === 'manager' ? 'manager_uuid' : field, read.value)
  }
  if (!references.currencies.has(String(values['currency']))) problems['currency'] ??= NO_CURRENCY
  const parsed = (kind === 'affiliate' ? affiliateInput : advertiserInput).safeParse(values)
  for (const issue of parsed.error?.issues ?? []) problems[fieldAt(kind, issue.path)] ??= issue.message
  if (!parsed.success || Object.keys(problems).length > 0) return { problems }
  return { input: parsed.data as Inputs[Kind] } // of the schema of this kind
}

/** The field of the import an issue of the form is about: that of the list, for one of its words. */
function fieldAt(kind: ImportedKind, path: readonly PropertyKey[]): string {
  const whole = path.join('.').replace('manager_uuid', 'manager')
  return IMPORT_FIELDS[kind].find((field) => whole === field || whole.startsWith(`${field}.`)) ?? whole
}

const NO_CURRENCY = 'The network has no active currency of this code: write one such as USD, or do not import this column'
const NO_ZONE = 'No time zone is called so: write one such as Europe/Kyiv, use the network’s instead, or do not import this column'
const NO_STATUS: Readonly<Record<ImportedKind, string>> = {
  affiliate: 'No status is called so: write active, inactive, moderation, unverified, banned or rejected',
  advertiser: 'No status is called so: write active, inactive or deleted',
}
const noCountry = (word: string) => `No country is called "${word.slice(0, 60)}": write its English name or its two letters, as in UA`

type Told = { kind: ImportedKind; references: References; country: string | null }
type Read = { value: unknown; problem?: undefined } | { value?: undefined; problem: string }

const country = (text: string): Read => {
  const code = countryOf(text)
  return code === null ? { problem: noCountry(text) } : { value: code }
}

/** Fields that are more than the text of their cell. */
const READ: Partial<Record<ImportField, (text: string, told: Told) => Read>> = {
  status: (text, { kind }) => {
    const status = STATUS_WORDS[kind][text.toLowerCase().trim()]
    return status === undefined ? { problem: NO_STATUS[kind] } : { value: status }
  },
  manager: (text, { references }) => {
    const uuid = references.managers.get(text.toLowerCase())
    if (uuid === null) return { problem: 'Several managers are called so: write the e-mail of the one you mean' }
    return uuid === undefined
      ? {
          problem: 'No manager of yours has this name, e-mail or number: correct it, use another one instead, or do not import this column',
        }
      : { value: uuid }
  },
  country,
  'company.country': country,
  // a number without a + is one of the country the row names
  phone: (text, { country: code }) => {
    const phone = readPhone(/^\d{11,15}$/.test(text) ? `+${text}` : text, code)
    return phone === undefined ? { problem: NO_PHONE } : { value: phone }
  },
  time_zone: (text) => (timeZone.safeParse(text).success ? { value: text } : { problem: NO_ZONE }),
  currency: (text, { references }) => {
    const code = text.toUpperCase()
    return references.currencies.has(code) ? { value: code } : { problem: NO_CURRENCY }
  },
  website: (text) => ({ value: /^https?:\/\//i.test(text) ? text : `https://${text}` }),
  tags: (text) => ({ value: listed(text) }),
  traffic_sources: (text) => ({ value: listed(text).map((word) => keyOf(choicesOf('traffic'), word)) }),
  verticals: (text) => ({ value: listed(text).map((word) => keyOf(choicesOf('verticals'), word)) }),
  geos: (text) => {
    const words = listed(text)
    const unknown = words.find((word) => countryOf(word) === null)
    return unknown === undefined ? { value: [...new Set(words.map((word) => countryOf(word)))] } : { problem: noCountry(unknown) }
  },
}

/** What other platforms call the life of an account. */
const STATUS_WORDS: Readonly<Record<ImportedKind, Readonly<Record<string, string>>>> = {
  affiliate: {
    active: 'active',
    enabled: 'active',
    approved: 'active',
    активний: 'active',
    inactive: 'inactive',
    'not active': 'inactive',
    paused: 'inactive',
    suspended: 'inactive',
    disabled: 'inactive',
    неактивний: 'inactive',
    moderation: 'moderation',
    'on moderation': 'moderation',
    pending: 'moderation',
    new: 'moderation',
    'на модерації': 'moderation',
    banned: 'banned',
    blocked: 'banned',
    fraud: 'banned',
    deleted: 'banned',
    заблокований: 'banned',
    rejected: 'rejected',
    declined: 'rejected',
    відхилений: 'rejected',
    unverified: 'unverified',
    'не підтверджений': 'unverified',
  },
  advertiser: {
    active: 'active',
    enabled: 'active',
    approved: 'active',
    активний: 'active',
    inactive: 'inactive',
    'not active': 'inactive',
    paused: 'inactive',
    pending: 'inactive',
    suspended: 'inactive',
    disabled: 'inactive',
    blocked: 'inactive',
    неактивний: 'inactive',
    deleted: 'deleted',
    видалений: 'deleted',
  },
}

function listed(text: string): string[] {
  return text
    .split(/[,;|\n]/)
    .map((word) => word.trim())
    .filter(Boolean)
}

/** The key of a known word, however it is written; any other stands as it is. */
function keyOf(known: Readonly<Record<string, string>>, word: string): string {
  const lower = word.toLowerCase()
  return Object.keys(known).find((key) => key === lower || known[key]?.toLowerCase() === lower) ?? word
}

/** Puts a value where its path says: `contacts.skype`. */
function put(values: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', inner] = path.split('.')
  if (inner === undefined) values[name] = value
  else values[name] = { ...(values[name] as object | undefined), [inner]: value } // a group of the form
}
