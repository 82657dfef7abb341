/** Without marks that turn text around, hide in it or end its line; at most 200 characters. */
export function plainLine(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()
}
