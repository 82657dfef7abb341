import { encodeValue } from '#server/rules/macros.ts'
import { cleanText } from '#server/rules/click-parameters.ts'
import type { SipKey } from '#server/rules/siphash.ts'
import { BROWSERS, describeUserAgent, DEVICES, MAX_USER_AGENT, OPERATING_SYSTEMS, type UserAgentFacts } from '#server/rules/user-agent.ts'
import { hashUserAgent } from '#server/rules/visitor.ts'

/** Everything a click needs of its User-Agent, worked out once. Strings named `bytes…` hold one UTF-8 byte per character. */
export type KnownUserAgent = {
  /** Decoded and cut: what is stored. */
  text: string
  facts: UserAgentFacts
  /** Positions in DEVICES, OPERATING_SYSTEMS and BROWSERS. */
  device: number
  os: number
  browser: number
  /** `device ⇥ os ⇥ browser` as the row has them. */
  bytesFamilies: Uint8Array
  /** The text as a field of the row, escaped. */
  bytesField: string
  /** The text URL-encoded. */
  encoded: string
  /** First step of the visitor hash. */
  low: number
  high: number
}

export type UserAgentTable = { find(header: string): KnownUserAgent }

/** Parsing costs 10 µs and traffic repeats itself; a flood of invented User-Agents empties the table instead of filling the memory. */
const LARGEST = 65_536

/** Keeps what is known of the User-Agents seen. `header` is the header's value as node gives it: one character per byte. */
export function createUserAgentTable(visitorKey: SipKey): UserAgentTable {
  let known = new Map<string, KnownUserAgent>()
  const families = new Map<string, Uint8Array>()

  const learn = (header: string): KnownUserAgent => {
    if (known.size >= LARGEST) known = new Map()
    const text = readUserAgent(header)
    const facts = describeUserAgent(text)
    const utf8 = Buffer.from(text, 'utf8')
    const joined = `${facts.device}\t${facts.os}\t${facts.browser}`
    let bytesFamilies = families.get(joined)
    if (bytesFamilies === undefined) families.set(joined, (bytesFamilies = Buffer.from(joined, 'latin1')))
    const plain = text === header && !text.includes('\\')
    const entry: KnownUserAgent = {
      text,
      facts,
      device: DEVICES.indexOf(facts.device),
      os: OPERATING_SYSTEMS.indexOf(facts.os),
      browser: BROWSERS.indexOf(facts.browser),
      bytesFamilies,
      bytesField: plain ? header : utf8.toString('latin1').replaceAll('\\', '\\\\'),
      encoded: '',
      ...hashUserAgent(visitorKey, utf8),
    }
    known.set(header, entry)
    return entry
  }
  return { find: (header) => known.get(header) ?? learn(header) }
}

/** A User-Agent header as text: bytes read as UTF-8, control characters dropped, cut. */
export function readUserAgent(header: string): string {
  return cleanText(Buffer.from(header.slice(0, MAX_USER_AGENT * 4), 'latin1').toString('utf8'), MAX_USER_AGENT)
}

/** The text URL-encoded, worked out when the first template asks for it. */
export function encodedUserAgent(entry: KnownUserAgent): string {
  if (entry.encoded === '') entry.encoded = encodeValue(entry.text)
  return entry.encoded
}
