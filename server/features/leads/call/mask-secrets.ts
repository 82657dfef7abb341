import type { MadeCall } from '#contract/leads/product.ts'
import type { Values } from '#server/rules/lead/integration/template.ts'

/** What stands where a secret was. */
export const MASKED = '••••••'
/** Shorter ones are no secrets: dots in place of every `1` would make calls unreadable. */
const SHORTEST = 4

/** Values with dots in place of the hidden ones: calls built of them are those that were made, without what nobody may read. */
export function maskedValues(values: Values, hidden: readonly string[]): Values {
  return { ...values, ...Object.fromEntries(hidden.map((name) => [name, values[name] === '' ? '' : MASKED])) }
}

/** The values nobody may read. */
export function hiddenTexts(values: Values, hidden: readonly string[]): string[] {
  return hidden.map((name) => values[name] ?? '')
}

/** Of the words of a call that come of secrets those that hide them, such as a signature: they open as much. The others hold the secret as it is. */
export function derivedSecrets(words: Iterable<string>, values: Values, hidden: readonly string[]): string[] {
  const secrets = hiddenTexts(values, hidden).filter((text) => text.length >= SHORTEST)
  return [...words].filter((word) => !secrets.some((secret) => word.includes(secret)))
}

/** A call without the secrets themselves, wherever an advertiser's server repeats them: as they are, in an address, in JSON. */
export function maskIn(call: MadeCall, secrets: readonly string[]): MadeCall {
  const clean = maskText(secrets)
  const headers = (list: MadeCall['headers']) => list.map(({ name, value }) => ({ name, value: clean(value) }))
  return {
    ...call,
    url: clean(call.url),
    headers: headers(call.headers),
    body: call.body === null ? null : clean(call.body),
    answer: call.answer === null ? null : { ...call.answer, headers: headers(call.answer.headers), body: clean(call.answer.body) },
  }
}

/** Puts dots in place of secrets in a text, however they are spelt there. */
export function maskText(secrets: readonly string[]): (text: string) => string {
  const spellings = [...new Set(secrets.filter((text) => text.length >= SHORTEST).flatMap(spelt))].toSorted((a, b) => b.length - a.length)
  return (text) => spellings.reduce((shown, secret) => shown.replaceAll(secret, MASKED), text)
}

function spelt(secret: string): string[] {
  return [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('base64')]
}
