import { leadInput, type LeadInput } from '#contract/leads/lead.ts'
import { AppError } from '#server/platform/errors.ts'
import { textOf, type ReadLead, type SentBody } from '#server/rules/lead/sender/read-lead.ts'

/** A flat object out of a body; nothing of anything else. */
export function bodyOf(body: unknown): SentBody {
  return body !== null && typeof body === 'object' && !Array.isArray(body) && !ArrayBuffer.isView(body) ? (body as SentBody) : {}
}

/**
 * A lead in the words of another system as the lead API takes it. Throws `invalid_input` with every wrong field, and `field` of the body where
 * it names somebody other than the affiliate whose key it is.
 */
export function readSent(
  { lead, names, refused }: ReadLead & { refused: Record<string, string> },
  affiliateId: number,
  own: { field: string; value: unknown },
): LeadInput {
  const fields: Record<string, string> = Object.assign(Object.create(null), refused)
  const said = textOf(own.value)
  if (said !== '' && said !== String(affiliateId)) fields[own.field] = 'This is not the number of the affiliate whose key was sent'
  const offer = names.offer_uuid ?? 'offer_uuid'
  if (lead.offer_uuid === undefined) fields[offer] = 'Required: the number of the offer'
  const found = leadInput.safeParse(lead)
  for (const issue of found.error?.issues ?? []) fields[nameOf(names, issue.path.join('.'))] ??= issue.message
  if (!found.success || Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  return found.data
}

/** What an error names, by the sender's names. */
export function mistakesOf(error: AppError, names: Readonly<Record<string, string>>): string {
  const named = Object.entries(error.fields ?? {}).map(([field, text]) => `${nameOf(names, field)}: ${text}`)
  const told = error.code === 'lead_refused' ? [error.values?.code ?? '', ...named] : named
  return told.length > 0 ? told.slice(0, 20).join('; ') : error.message
}

function nameOf(names: Readonly<Record<string, string>>, field: string): string {
  const [first = '', ...rest] = field.split('.')
  return [first === 'fields' ? (rest.shift() ?? first) : Object.hasOwn(names, first) ? (names[first] ?? first) : first, ...rest].join('.')
}
