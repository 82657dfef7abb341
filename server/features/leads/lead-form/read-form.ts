import { leadInput, type LeadInput } from '#contract/leads/lead.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'

/** Nobody sees it: who fills it in is a program. */
export const TRAP = 'website'

/** What a form says beside the lead. */
export type Posted = { told: ReadonlyMap<string, string>; trapped: boolean; thankYouUrl: string }
/** What comes with the request and is no field of the form; `country` where the form asks for none. */
export type Sender = {
  offerId: number
  ip: string
  userAgent: string
  country: () => string
  now: number
  isOwnClick: (id: string) => boolean
}

const OF_FORM: readonly string[] = [TRAP, 'thank_you_url', 'consent', 'consent_text', 'consent_url', 'consent_version', 'test', 'fields']
/** Fields of a lead a visitor says nothing of. */
const OURS: readonly string[] = ['offer_uuid', 'external_id', 'ip', 'user_agent', ...OF_FORM]
const OF_LEAD = new Set(Object.keys(leadInput.shape).filter((name) => !OURS.includes(name)))
const MOST_FIELDS = 100

/** A flat form or JSON object as texts; `fields: {…}` of JSON is the same as `fields.<name>`. Throws `invalid_input` with what is no text. */
export function readPosted(body: unknown): Posted {
  const told = new Map<string, string>()
  const mistakes: FieldErrors = {}
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') told.set(name, String(value).trim())
    else if (value !== null && value !== undefined) mistakes[name.slice(0, 60)] = 'Send a text'
  }
  const all = Object.entries(recordOf(body))
  for (const [name, value] of all.slice(0, MOST_FIELDS)) {
    if (name !== 'fields') add(name, value)
    else for (const [own, text] of Object.entries(recordOf(value)).slice(0, MOST_FIELDS)) add(`fields.${own}`, text)
  }
  if (all.length > MOST_FIELDS) mistakes['fields'] = 'Too many fields'
  if (Object.keys(mistakes).length > 0) throw new AppError('invalid_input', { fields: mistakes })
  return { told, trapped: (told.get(TRAP) ?? '') !== '', thankYouUrl: told.get('thank_you_url') ?? '' }
}

/**
 * The lead a form tells of. A field the lead API does not know is kept under its name among `fields`, and so is a click id that is not
 * of this affiliate and offer: the visitor could not mend it. Throws `invalid_input` with every mistake.
 */
export function leadOfForm({ told }: Posted, sender: Sender): LeadInput {
  const lead: Record<string, unknown> = { offer_uuid: String(sender.offerId), ip: sender.ip }
  if (sender.userAgent !== '') lead['user_agent'] = sender.userAgent.slice(0, 512)
  const fields: Record<string, string> = {}
  const mistakes: FieldErrors = {}
  for (const [name, text] of told) {
    if (text === '' || OF_FORM.includes(name)) continue
    if (name === 'click_id' && !sender.isOwnClick(text)) fields['unknown_click_id'] = text.slice(0, 500)
    else if (OF_LEAD.has(name)) lead[name] = name === 'country' ? text.toUpperCase() : text
    else fields[name.replace(/^fields\./, '')] = text
  }
  lead['country'] ??= sender.country() || undefined
  if (Object.keys(fields).length > 0) lead['fields'] = fields
  if (/^(1|true|yes|on)$/i.test(told.get('test') ?? '')) lead['test'] = true
  const agreed = (told.get('consent') ?? '') !== ''
  if (agreed) {
    const [text, proof] = [told.get('consent_text') ?? '', told.get('consent_url') || told.get('landing_url') || '']
    lead['consent'] = {
      given_at: new Date(sender.now).toISOString(),
      ...(text !== '' && { text }),
      ...(proof !== '' && { proof_url: proof, url: proof }),
      ...((told.get('consent_version') ?? '') !== '' && { version: told.get('consent_version') }),
      ip: sender.ip,
    }
  } else if (told.has('consent_text')) mistakes['consent'] = 'Required'
  const found = leadInput.safeParse(lead)
  for (const issue of found.error?.issues ?? []) mistakes[issue.path.join('.').slice(0, 60)] ??= issue.message
  if (!found.success || Object.keys(mistakes).length > 0) throw new AppError('invalid_input', { fields: mistakes })
  return found.data
}

function recordOf(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !ArrayBuffer.isView(value)
    ? (value as Record<string, unknown>)
    : {}
}
