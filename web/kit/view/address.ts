/** The part of an address after the question mark that a view keeps: all but the page, and how one came to it. */
export function withoutPage(search: URLSearchParams): string {
  const kept = new URLSearchParams(search)
  kept.delete('page')
  kept.delete('trail')
  return kept.toString()
}

/** Whether two addresses ask for the same, in whatever order. */
export function sameAddress(one: string, other: string): boolean {
  return sorted(one) === sorted(other)
}

function sorted(address: string): string {
  const search = new URLSearchParams(address)
  search.sort()
  return search.toString()
}
