const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** What names a payment in every format and result: `OH`, its source, its number, and a check character; at most 20 of A–Z and 0–9. */
export function referenceOf(sourceId: number, payoutId: number): string {
  const text = `OH${String(sourceId).padStart(2, '0')}P${String(payoutId).padStart(6, '0')}`
  return text + checkCharacter(text)
}

/** Whether a text is such a reference, copied without a mistake. */
export function isReference(text: string): boolean {
  return /^OH\d{2,6}P\d{6,10}[0-9A-Z]$/.test(text) && checkCharacter(text.slice(0, -1)) === text.at(-1)
}

/** References as they stand in free text, such as the purpose of a payment. */
export function referencesIn(text: string): string[] {
  return (text.toUpperCase().match(/OH\d{2,6}P\d{6,10}[0-9A-Z]/g) ?? []).filter(isReference)
}

/** ISO 7064 MOD 37,36: finds every wrong character and every two that changed places. */
function checkCharacter(text: string): string {
  let product = 36
  for (const letter of text) {
    const sum = (product + LETTERS.indexOf(letter)) % 36 || 36
    product = (sum * 2) % 37
  }
  return LETTERS[(37 - product) % 36] ?? ''
}
