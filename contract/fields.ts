import { z } from 'zod'

/** Small shapes that several features use. Texts are trimmed; an empty optional text is stored as ''. */

const PERSONAL = new WeakSet<z.ZodType>()

/** Marks a field of a person as one that tells how to reach them: the log tells that it changed, and nothing of what it holds. */
export function personal<Field extends z.ZodType>(field: Field): Field {
  PERSONAL.add(field)
  return field
}

/** The names of those fields that are marked `personal`. */
export function personalNames(fields: Readonly<Record<string, z.ZodType>>): string[] {
  return Object.keys(fields).filter((name) => fields[name] !== undefined && PERSONAL.has(fields[name]))
}

const isOneLine = (text: string) => !/[\u0000-\u001f\u007f]/.test(text)
const NOT_ONE_LINE = 'Line breaks and control characters are not allowed'

/** One line of text. */
export const line = (max = 200) => z.string().trim().max(max).refine(isOneLine, NOT_ONE_LINE)
export const requiredLine = (max = 200) => line(max).min(1, 'Required')

/** A number a bank or payment system gave a transfer, as it is copied from a statement: what nobody sees in it would make it another. */
export const bankReference = z
  .string()
  .overwrite((text) => text.replace(/\p{Cf}/gu, '').replace(/[\u00a0\u202f]/g, ' '))
  .trim()
  .max(100)
  .refine(isOneLine, NOT_ONE_LINE)

/** Several lines of plain text. */
export const paragraph = (max = 5000) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !text.includes('\u0000'), 'Control characters are not allowed')

export const uuid = z.uuid()
/** An address parameter: the uuid, or the numeric id people know; answers carry the uuid, so the web can correct the address. */
export const byUuid = z.object({ uuid: z.union([uuid, z.string().regex(/^[1-9]\d{0,8}$/)]) })

/** An e-mail address in ASCII, lower-cased: addresses that only look like another one are refused. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .min(1, 'Required')
  .regex(/^[\x21-\x7e]*$/, 'Only plain Latin letters, digits and signs are allowed in an e-mail address')
  .pipe(z.email('This is not an e-mail address'))

/** A new password: 8 to 200 characters of any kind. */
export const newPassword = z.string().min(8, 'At least 8 characters').max(200)

export const countryCode = z.string().regex(/^[A-Z]{2}$/)
export const languageCode = z.enum(['en', 'uk'])
/** An IANA zone by the name it has today. */
export const timeZone = z.string().min(1).max(64).refine(isTimeZone, 'Unknown time zone').overwrite(presentZone)

/** A moment in ISO 8601 with `Z`. */
export const moment = z.iso.datetime()
export const day = z.iso.date()

/** An http(s) address of at most 2,048 characters, or ''. Macros in it are checked by the server, which knows their list. */
export const webAddress = () =>
  line(2048).refine(
    (text) => text === '' || /^https?:\/\/[^\s/?#\\@]+([/?#]|$)/i.test(text),
    'An address that starts with http:// or https://',
  )

/** The same, or one that opens a shop of apps. */
export const destination = () =>
  line(2048).refine(
    (text) => text === '' || /^((https?):\/\/[^\s/?#\\@]+|(market|itms-appss?):\/\/[a-z0-9.-]+)([/?#]|$)/i.test(text),
    'An address that starts with http:// or https://',
  )

/** At most 30 free words, each once whatever its case: the first spelling stays. */
export const tags = z.array(requiredLine(40)).overwrite(eachOnce).max(30)

/** Some of the choices of a list, at most as many as there are; none where nothing is said. */
export const someOf = <Choices extends z.core.util.EnumLike>(choice: z.ZodEnum<Choices>) => {
  const most = choice.options.length
  return z.array(choice).max(most, `At most ${most} values`).default([])
}

export const contacts = z.object({ skype: line(100).default(''), telegram: line(100).default(''), linkedin: line(200).default('') })

/** A table by names, with at most so many entries. */
export const bounded = <Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(key: Key, value: Value, most: number) =>
  z
    .record(key, value)
    .refine((entries) => Object.keys(entries).length <= most, `At most ${most} values`)
    .meta({ maxProperties: most })

/** A person or company to show and link to: never more than this. */
export const reference = z.object({ uuid, id: z.int(), name: z.string() })

/**
 * What a logged change names by number or uuid in fields such as `affiliate_id`, `landing_uuids`: `kind` is what the field is
 * called after, `name` is '' for what the caller may not know by name.
 */
export const named = reference.extend({ kind: z.string() })

/** One status for up to 1,000 rows. Those that do not stand at the `expected` one, where it is told, keep theirs. */
export const statusChange = <Status extends z.ZodType>(status: Status) =>
  z.object({ uuids: z.array(uuid).min(1).max(1000), status, expected: status.optional() })
export type StatusChange<Status> = { uuids: string[]; status: Status; expected?: Status | undefined }

/** Counts the changes of a record. A form sends back the one it was filled from, and is refused when there is a newer one. */
export const version = z.int()

function eachOnce(words: string[]): string[] {
  const seen = new Set<string>()
  return words.filter((word) => {
    const known = seen.has(word.toLowerCase())
    seen.add(word.toLowerCase())
    return !known
  })
}

/** What runtimes still call zones that have another name by now (ICU keeps the oldest one). */
const RENAMED: Readonly<Record<string, string>> = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
}

/** The name a zone has today: one key for each zone, whatever a runtime or an older setting calls it. */
export function presentZone(name: string): string {
  return RENAMED[name] ?? name
}

/** Whether the runtime knows an IANA zone of that name. */
export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true
  try {
    const { timeZone: resolved } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    const known = !/^[+-]/.test(name)
    if (known && resolved === name) knownZones.add(name)
    return known
  } catch {
    return false
  }
}
/** Some hundreds, as the runtime spells them: to ask it takes as long as the rest of a small request. */
const knownZones = new Set<string>()
