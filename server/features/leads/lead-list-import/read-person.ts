import { z } from 'zod'
import { line, paragraph } from '#contract/fields.ts'
import { leadFields } from '#contract/leads/lead.ts'
import { LEAD_FIELDS } from '#contract/leads/integration-type.ts'
import type { LeadListImportPlan, LeadListRowProblem } from '#contract/leads/lead-list-import.ts'
import { LEAD_LIST_FIELDS, type LeadListField, type LeadListMistakeCode } from '#contract/leads/lead-list-mapping.ts'
import type { Told } from '#server/features/leads/session/vault.ts'
import { countryOf } from '#server/features/people/import/country.ts'
import { canonicalEmail, canonicalPhone, countryOfPhone, isEmail } from '#server/rules/lead/contact.ts'
import { readMoment } from './read-moment.ts'

/** Somebody as a row of a file tells of them; what tells who they are is `told`, as it is sealed. */
export type FilePerson = { told: Told; country: string; consent: { given_at: string; text?: string; recipients?: string[] } | null }
type Row = { cells: readonly string[]; beyond: boolean }

/** Somebody by a row of a file, their contacts as they are compared at intake; or what is wrong with it, field by field. */
export function readPerson(
  { cells, beyond }: Row,
  { mapping, country }: LeadListImportPlan,
  now: number,
): FilePerson | LeadListRowProblem[] {
  const problems = new Map<LeadListField | '', LeadListMistakeCode>()
  const wrong = (field: LeadListField | '', code: LeadListMistakeCode) => void (problems.has(field) || problems.set(field, code))
  if (beyond) wrong('', 'columns')
  const said = Object.fromEntries(
    LEAD_LIST_FIELDS.map((field) => {
      const text = unguarded(cells[mapping[field] ?? -1] ?? '')
      if (!text.isWellFormed() || /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) wrong(field, 'broken')
      // a telephone begins with + as well; nothing else of a person begins so
      else if (/^[=@]/.test(text) || (field !== 'phone' && /^[+-]/.test(text))) wrong(field, 'formula')
      return [field, text] as const
    }),
  ) as Record<LeadListField, string> // each field once
  const of = countryIn(said, country)
  if (of === null) wrong('country', 'country')
  if (of === '') wrong('country', 'no_country')
  const phone = said.phone === '' ? '' : canonicalPhone(said.phone, of ?? '')
  if (phone === undefined) wrong('phone', 'phone')
  const email = canonicalEmail(said.email)
  if (email !== '' && !isEmail(email)) wrong('email', 'email')
  if (said.phone === '' && email === '') wrong('', 'no_contact')
  const gender = said.gender === '' ? '' : GENDERS[said.gender.toLowerCase()]
  if (gender === undefined) wrong('gender', 'gender')
  const times = { birth_date: '', registered_at: '', consent_at: '' }
  for (const field of ['birth_date', 'registered_at', 'consent_at'] as const) {
    // of a birthday the day alone, wherever that was
    const text = field === 'birth_date' ? said[field].replace(/[T ].*$/i, '') : said[field]
    const at = text === '' ? '' : readMoment(text, now)
    if (at === undefined) wrong(field, field === 'birth_date' ? 'day' : 'moment')
    else times[field] = field === 'birth_date' ? at.slice(0, 10) : at
  }
  if ((said.consent_text !== '' || said.consent_recipients !== '') && said.consent_at === '') wrong('consent_at', 'no_moment')
  const fields = { ...said, email, gender: gender || undefined, birth_date: times.birth_date || undefined, country: undefined }
  const read = SHAPE.safeParse(Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '' && text !== undefined)))
  for (const { path, code } of read.error?.issues ?? []) {
    const field = LEAD_LIST_FIELDS.find((one) => one === path[0]) ?? ''
    wrong(field, code === 'too_big' ? 'too_long' : field === 'language' || field === 'ip' ? field : 'broken')
  }
  if (problems.size > 0 || !read.success) return [...problems].map(([field, code]) => ({ field, code }))
  const { full_name, consent_text, consent_recipients, ...told } = read.data
  const [first, ...rest] = (full_name ?? '').split(/\s+/).filter(Boolean)
  const all: Record<string, string | undefined> = {
    ...told,
    first_name: told.first_name ?? first,
    last_name: told.last_name ?? (told.first_name === undefined ? rest.join(' ') : ''),
    phone,
    email,
    registered_at: times.registered_at,
  }
  return {
    told: Object.fromEntries([...LEAD_FIELDS, 'user_agent', 'registered_at'].map((name) => [name, all[name] ?? ''])),
    country: of ?? '',
    consent:
      times.consent_at === ''
        ? null
        : {
            given_at: times.consent_at,
            ...(consent_text !== undefined && { text: consent_text }),
            ...(consent_recipients !== undefined && { recipients: consent_recipients }),
          },
  }
}

/** The country a row names, else that of the whole file, else that of its telephone; '' = none, null = one nobody knows. */
function countryIn({ country, phone }: Record<LeadListField, string>, ofAll: string | null): string | null {
  if (country !== '') return countryOf(country)
  return ofAll ?? countryOfPhone(phone) ?? ''
}

/** Spreadsheets and exports keep texts from being read as formulas by `="…"` or an apostrophe before them. */
function unguarded(cell: string): string {
  const [, inner] = /^="([^"]*)"$/.exec(cell) ?? []
  const text = (inner ?? cell.replace(/^'(?=[=+\-@])/, '')).trim()
  // a dash alone says that there is nothing
  return /^[-–—]$/.test(text) ? '' : text
}

const { country: _country, password: _password, ...FIELDS } = leadFields
/** As the lead API takes them. */
const SHAPE = z.object({
  ...FIELDS,
  full_name: line(200).optional(),
  user_agent: line(512).optional(),
  consent_text: paragraph(2000).optional(),
  consent_recipients: z
    .string()
    .transform((text) =>
      text
        .split(/[;|]/)
        .map((name) => name.trim())
        .filter(Boolean),
    )
    .pipe(z.array(line(200)).max(50))
    .optional(),
})

const GENDERS: Readonly<Record<string, string>> = {
  male: 'male', m: 'male', man: 'male', чоловіча: 'male', чоловік: 'male', ч: 'male',
  female: 'female', f: 'female', w: 'female', woman: 'female', жіноча: 'female', жінка: 'female', ж: 'female',
  other: 'other', unknown: '', 'n/a': '', інша: 'other',
} // prettier-ignore
