/** What stands where something of a person was. */
const DOTS = '•••'
/** Names under which people are told of: whole words of a name, however it is written. */
const PERSONAL = new Set(
  [
    ['name', 'firstname', 'lastname', 'fullname', 'surname', 'first', 'last', 'email', 'mail', 'phone', 'tel', 'telephone', 'mobile'],
    ['msisdn', 'ip', 'userip', 'address', 'city', 'zip', 'postcode', 'birth', 'birthday', 'birthdate', 'dob', 'password', 'passport'],
    ['token', 'key', 'secret', 'sign', 'signature', 'url', 'link', 'autologin', 'redirect', 'comment', 'note'],
  ].flat(),
)
const EMAIL = /[^\s@<>"']+@[^\s@<>"']+\.[^\s@<>"']{2,}/g
const IP = /\b\d{1,3}(\.\d{1,3}){3}\b/g
const PHONE = /\+\d[\d\s().-]{6,}\d/g

/**
 * Values of a call nobody could make anything of, as they may be kept: what names a person, an account or a place one goes on to is dots,
 * by the name it stands under and by how it looks; at most so many, and none longer than that.
 */
export function maskParams(params: Readonly<Record<string, string>>, most = 40, longest = 200): Record<string, string> {
  const entries = Object.entries(params).slice(0, most)
  return Object.fromEntries(
    entries.map(([name, value]) => [name.slice(0, 60), isPersonal(name) ? DOTS : maskText(value).slice(0, longest)]),
  )
}

/** A text without addresses and telephones. */
export function maskText(text: string): string {
  return text.replace(EMAIL, DOTS).replace(IP, DOTS).replace(PHONE, DOTS)
}

function isPersonal(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return words.some((word) => PERSONAL.has(word))
}
