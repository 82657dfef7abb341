import type { MadeCall } from '#contract/leads/product.ts'
import type { Judged } from '#server/rules/lead/integration/read-answer.ts'
import { maskPerson } from '#server/rules/lead/mask-person.ts'

/**
 * What takes out of texts where a person goes on at an advertiser, and by what password: whoever has them is signed in there.
 * `extracted` is what was read of the answer; of other addresses the host is left alone, for an integration that is being tried may
 * not say yet where in an answer the link stands.
 */
export function withoutLogIn({ redirect_url: redirect = '', password = '' }: Judged['extracted']): (text: string) => string {
  return maskPerson({ redirect, password })
}

/** A call with `clean` over all that may hold something of a person. */
export function maskCall(call: MadeCall, clean: (text: string) => string): MadeCall {
  const headers = (list: MadeCall['headers']) => list.map(({ name, value }) => ({ name, value: clean(value) }))
  return {
    ...call,
    // its host and path are the integration's, what stands behind them the lead's
    url: maskedUrl(call.url, clean),
    headers: headers(call.headers),
    body: call.body === null ? null : clean(call.body),
    answer: call.answer === null ? null : { ...call.answer, headers: headers(call.answer.headers), body: clean(call.answer.body) },
  }
}

function maskedUrl(url: string, clean: (text: string) => string): string {
  const [, host = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(url) ?? ['', '', url]
  return `${host}${clean(rest)}`
}
