import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { readTemplate } from './template.ts'

/**
 * Whom the calls of a product go to: origins, and where macros decide about one its text with the account’s values that stand in it.
 * Of the same set the same servers are called, whatever else two versions differ in.
 */
export function addressesOf(
  { steps, request, pull }: Pick<IntegrationSpec, 'steps' | 'request' | 'pull'>,
  host: string,
  account: Readonly<Record<string, string>>,
): Set<string> {
  const urls = [...steps.map((step) => step.request.url), request.url, ...(pull === null ? [] : [pull.request.url])]
  return new Set([originOf(host), ...urls.map((url) => addressOf(url, host, account))])
}

/** The base address of the product with a path behind it, if any. */
const OF_PRODUCT = /^\{\{\s*product\.host\s*\}\}(?=$|[/?#])/
/** An address up to its path, none of whose signs is a macro. */
const PLAIN = /^https?:\/\/[^/?#\\{}\s]+(?=$|[/?#])/i
/** The same with macros in it. */
const WITH_MACROS = /^https?:\/\/(?:[^/?#\\{}\s]|\{\{[^{}]*\}\})+(?=$|[/?#])/i

function addressOf(url: string, host: string, account: Readonly<Record<string, string>>): string {
  if (OF_PRODUCT.test(url)) return originOf(host)
  const plain = PLAIN.exec(url)?.[0]
  if (plain !== undefined) return originOf(plain)
  // whatever cannot be told apart is compared as a whole
  const text = WITH_MACROS.exec(url)?.[0] ?? url
  const named: [macro: string, value: string][] = []
  readTemplate(text, (macro) => {
    const key = macro.startsWith('cred.') ? macro.slice('cred.'.length) : undefined
    if (macro === 'product.host') named.push([macro, host])
    else if (key !== undefined) named.push([macro, account[key] ?? ''])
    return true
  })
  return JSON.stringify([text, named])
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address
}
