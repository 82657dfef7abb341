/** What a filter by texts asks for: values that are one of some, or have a part, whatever its case. */
export type TextsAsked = { is: string[]; contains: string }

/**
 * What the values of an address ask for: `~word` has the word somewhere, anything else is the whole text. A text that begins
 * with either sign is written with a `=` before it.
 */
export function readTexts(values: readonly string[]): TextsAsked {
  const part = values.findLast((value) => value.startsWith('~'))
  return {
    is: values.filter((value) => !value.startsWith('~')).map((value) => (value.startsWith('=') ? value.slice(1) : value)),
    contains: part?.slice(1) ?? '',
  }
}

/** The values an address holds for what is asked. */
export function writeTexts({ is, contains }: TextsAsked): string[] {
  return [...is.map(wholeText), ...(contains === '' ? [] : [`~${contains}`])]
}

/** A whole text as a value of an address. */
export function wholeText(text: string): string {
  return /^[~=]/.test(text) ? `=${text}` : text
}
