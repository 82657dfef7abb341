import type { CallStatus } from '#contract/leads/call-status.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import { USUAL_WORDS } from '#contract/leads/usual-words.ts'

/** Letters of other alphabets that look like Latin ones, as call centres mix them. */
const ALIKE: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  і: 'i',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
}

/** A status as it is compared: `NoAnswer`, `no_answer`, ` NO  ANSWER ` are one; so is a word with a Cyrillic letter among Latin ones. */
export function normalStatus(raw: string): string {
  const mixed = /[a-z]/i.test(raw) ? raw.replace(/[авеікмнорстух]/gi, (letter) => ALIKE[letter.toLowerCase()] ?? letter) : raw
  return mixed
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[\s_/-]+/g, ' ')
    .trim()
    .slice(0, 100)
}

/** The words of an integration: its own, or where it names none those its kind usually has. */
export function wordsOf(own: Readonly<Record<string, CallStatus>>, type: IntegrationType): Readonly<Record<string, CallStatus>> {
  return Object.keys(own).length > 0 ? own : USUAL_WORDS[type]
}

/** What a status of theirs is in our words; undefined = nobody has said yet, and it is never guessed. */
export function readStatus(raw: string, statuses: Readonly<Record<string, CallStatus>>): CallStatus | undefined {
  const word = normalStatus(raw)
  return Object.hasOwn(statuses, word) ? statuses[word] : undefined
}
