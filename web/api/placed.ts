const placed: (readonly string[])[] = []

/** Notes what a page says of a failure where what failed would stand; the function it returns notes that it does no more. */
export function notePlaced(texts: readonly string[]): () => void {
  placed.push(texts)
  return () => void placed.splice(placed.indexOf(texts), 1)
}

/**
 * Says what no page says of a failure by the time whoever asked has heard of it and was drawn: several calls of a page that fail alike
 * are one message too. Queries hear of their failure in a timer, which is set after the first of these and before the second; what they
 * draw is drawn in it.
 */
export function unlessPlaced(texts: readonly string[], say: (text: string) => void): void {
  setTimeout(() => setTimeout(() => texts.filter((text) => !placed.some((those) => those.includes(text))).forEach((text) => say(text))))
}
