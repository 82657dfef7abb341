import { encodeValue } from '#contract/traffic/macro-template.ts'
import { loadDevices } from '#server/rules/click/brand.ts'
import { cleanText } from '#server/rules/click/click-parameters.ts'
import type { SipKey } from '#server/rules/click/siphash.ts'
import {
  BROWSERS,
  describeUserAgent,
  DEVICES,
  MAX_USER_AGENT,
  OPERATING_SYSTEMS,
  type UserAgentFacts,
} from '#server/rules/click/user-agent.ts'
import { hashUserAgent } from '#server/rules/click/visitor.ts'

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
  /** `os_version ⇥ browser_version ⇥ brand ⇥ model` as the row has them. */
  bytesVersions: string
  /** The text as a field of the row, escaped. */
  bytesField: string
  /** The text URL-encoded. */
  encoded: string
  /** First step of the visitor hash. */
  low: number
  high: number
}

export type UserAgentTable = { find(header: string): KnownUserAgent }

/** Parsing costs 60 µs and traffic repeats itself; a flood of invented User-Agents empties the table instead of filling the memory. */
const LARGEST = 65_536
const LARGEST_CHARACTERS = 16 * 1024 * 1024

/** Keeps what is known of the User-Agents seen. `header` is the header's value as node gives it: one character per byte. */
export function createUserAgentTable(visitorKey: SipKey): UserAgentTable {
  loadDevices() // now, and not while the first visitor waits
  let known = new Map<string, KnownUserAgent>()
  let characters = 0
  // Tens of thousands of texts share a few thousand answers.
  let families = new Map<string, Pick<KnownUserAgent, 'facts' | 'bytesFamilies' | 'bytesVersions'>>()

  const learn = (header: string): KnownUserAgent => {
    const read = readUserAgent(header)
    // The same text twice would be kept twice.
    const text = read === header ? header : read
    const found = describeUserAgent(text)
    const joined = `${found.device}\t${found.os}\t${found.browser}`
    const bytesVersions = `${found.os_version}\t${found.browser_version}\t${found.brand}\t${found.model}`
    const key = `${joined}\t${bytesVersions}\t${found.bot}`
    let family = families.get(key)
    if (families.size >= LARGEST) families = new Map()
    if (family === undefined) families.set(key, (family = { facts: found, bytesFamilies: Buffer.from(joined, 'latin1'), bytesVersions }))
    const utf8 = Buffer.from(text, 'utf8')
    const entry: KnownUserAgent = {
      text,
      device: DEVICES.indexOf(found.device),
      os: OPERATING_SYSTEMS.indexOf(found.os),
      browser: BROWSERS.indexOf(found.browser),
      ...family,
      bytesField: text === header && !text.includes('\\') ? header : utf8.toString('latin1').replaceAll('\\', '\\\\'),
      encoded: '',
      ...hashUserAgent(visitorKey, utf8),
    }
    // One that had to be cut is nobody's browser; keeping such would let 65,536 of 16 KB each fill the memory.
    if (header.length > MAX_USER_AGENT) return entry
    if (known.size >= LARGEST || characters > LARGEST_CHARACTERS) {
      known = new Map()
      characters = 0
    }
    characters += header.length
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
