import type { Say } from '#web/i18n/use-translation.ts'

/** What a field of a lead is called; one that has no word here stands as it is sent. */
export function fieldWord(t: Say<'partnerPage'>, name: string): string {
  return t(`field.${name}` as 'field.phone', { defaultValue: name }) // a name without a word is its own
}
