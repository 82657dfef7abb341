import { readAddress } from '#server/platform/address.ts'

/** From where somebody comes, or a lead said that it does; '' = that is not known. */
export type Whereabouts = { country: string; address: string; agent: string }
/** What differs between two; null = one of them does not say. */
export type Mismatch = { other_country: boolean | null; other_address: boolean | null; other_agent: boolean | null }

/** How whoever opened an entry differs from the lead it was made for. Addresses of one IPv6 network of a home (/64) are one. */
export function mismatchOf(lead: Whereabouts, visit: Whereabouts): Mismatch {
  return {
    other_country: differ(lead.country, visit.country),
    other_address: differ(placeOf(lead.address), placeOf(visit.address)),
    other_agent: differ(lead.agent.trim(), visit.agent.trim()),
  }
}

function differ(one: string, other: string): boolean | null {
  return one === '' || other === '' ? null : one !== other
}

function placeOf(address: string): string {
  const bytes = new Uint8Array(16)
  const kind = readAddress(address, bytes)
  return kind === 0 ? '' : Array.from(bytes.subarray(0, kind === 6 ? 8 : 16)).join('.')
}
