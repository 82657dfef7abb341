/** A lead by the names of the lead API, before it is checked; `names`: how whoever sent it calls what differs, to name mistakes by. */
export type ReadLead = { lead: Record<string, unknown>; names: Readonly<Record<string, string>> }

/** A flat body as other systems send it. */
export type SentBody = Readonly<Record<string, unknown>>

const OWN_NAME = /^[a-z0-9_]{1,40}$/

/**
 * Renames the fields of a body; what the dialect does not know is kept among the lead's own `fields`, in small letters. Fields it
 * names itself but leaves unread (credentials, codes of boxes) are `known`. Answers what can be neither read nor kept in `refused`.
 */
export function renameFields(
  body: SentBody,
  names: Readonly<Record<string, string>>,
  known: readonly string[],
): ReadLead & { refused: Record<string, string> } {
  const lead: Record<string, unknown> = {}
  const fields: Record<string, string> = {}
  const refused: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(body)) {
    if (known.includes(name) || value === null || value === undefined || value === '') continue
    const text = textOf(value)
    const own = Object.hasOwn(names, name) ? names[name] : undefined
    if (text === undefined) refused[name] = 'A text or a number'
    else if (own !== undefined) lead[own] = text
    else if (OWN_NAME.test(name.toLowerCase())) fields[name.toLowerCase()] = text
    else refused[name] = 'Unknown field'
  }
  if (Object.keys(fields).length > 0) lead.fields = fields
  return { lead, names: Object.fromEntries(Object.entries(names).map(([theirs, ours]) => [ours, theirs])), refused }
}

/** '' = nothing was said; undefined = it is a list or an object. */
export function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value.trim() : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** `1`, `true`, `yes`. */
export function isSaidYes(value: unknown): boolean {
  return /^(1|true|yes)$/i.test(textOf(value) ?? '')
}
