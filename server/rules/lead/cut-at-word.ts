/** The longest word that is looked for at the end; a longer one is cut. */
const LONGEST_WORD = 320

/** The beginning of a text that is too long, without what its last word is only a part of: what would be masked is not known by a part. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text
  const from = Math.max(0, most - LONGEST_WORD)
  return text.slice(0, from) + text.slice(from, most).replace(/[^\s,;"'<>&]*$/, '')
}
