export type ContactKind = 'skype' | 'telegram' | 'email' | 'linkedin'

/** The address that opens a contact in its own application; undefined when the text cannot be one. */
export function contactLink(kind: ContactKind, text: string): string | undefined {
  const name = text.trim()
  if (name === '') return undefined
  if (kind === 'email') return name.includes('@') ? `mailto:${encodeURIComponent(name).replaceAll('%40', '@')}` : undefined
  if (kind === 'skype') return `skype:${encodeURIComponent(name)}?chat`
  const last = lastSegment(name)
  if (last === '') return undefined
  return kind === 'telegram' ? `https://t.me/${encodeURIComponent(last)}` : `https://www.linkedin.com/in/${encodeURIComponent(last)}`
}

/** People paste "@name", "name" or the whole address of the profile; only the name goes into the link. */
function lastSegment(text: string): string {
  return (
    text
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1)
      ?.replace(/^@/, '') ?? ''
  )
}
