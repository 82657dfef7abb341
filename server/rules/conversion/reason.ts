/** The reason of a decline by staff in the advertiser's place: who reads it is told whose word it was. */
export const BY_STAFF = 'by_staff'

/** The reason of a decline by an advertiser, with its own words where it has some: `by_postback`, `by_postback: sold out`. */
export function declinedByAdvertiser(words: string): string {
  return words === '' ? 'by_postback' : `by_postback: ${words}`
}

/** A reason as its affiliate gets it: of what an advertiser wrote only the code; what staff write is meant for the affiliate. */
export function reasonForAffiliate(reason: string): string {
  return reason.startsWith('by_postback: ') ? 'by_postback' : reason
}
