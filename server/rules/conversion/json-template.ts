import { FOREIGN_MACRO } from '#contract/traffic/macro-alias.ts'
import type { MacroValues, TemplateError, TemplateMacro } from '#contract/traffic/macro-template.ts'
import { readMacro } from '../macros.ts'

/** A JSON text with macros: each knows whether it stands within quotes. */
export type JsonTemplate = readonly (string | (TemplateMacro & { quoted: boolean }))[]

/** Macros whose values are numbers by what they are, and stay numbers outside of quotes; all others are texts. */
const NUMBERS: ReadonlySet<string> = new Set(['payout', 'offer_id', 'pid', 'landing_id', 'timestamp', 'random', 'asn'])
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/
const LITERAL = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/
const MACRO = /\{(_?[A-Za-z][A-Za-z0-9_]*(?::[^{}"]*)?)\}/y

/**
 * Reads the body of a postback: `"{sub1}"` is a text, `{payout}` without quotes a number, `{sub1}` without quotes a text with quotes of
 * its own, and null where there is no value. What stands in other systems' brackets stays, within quotes.
 */
export function parseJson(text: string): { template: JsonTemplate; errors: TemplateError[] } {
  const errors: TemplateError[] = []
  const template: (string | (TemplateMacro & { quoted: boolean }))[] = []
  const foreign = new Map([...text.matchAll(FOREIGN_MACRO)].map(({ index, 0: whole }) => [index, whole.length]))
  let literal = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    const skipped = quoted ? (sign === '\\' ? 2 : foreign.get(at)) : undefined
    if (skipped !== undefined) {
      literal += text.slice(at, at + skipped)
      at += skipped - 1
      continue
    }
    if (sign === '"') quoted = !quoted
    MACRO.lastIndex = at
    const match = sign === '{' ? MACRO.exec(text) : null
    const macro = match === null ? null : readMacro(match[1] ?? '', 'postback', errors)
    if (match === null || macro === null) literal += sign
    else {
      template.push(literal, { ...macro, quoted })
      literal = ''
      at += match[0].length - 1
    }
  }
  return { template: [...template, literal], errors }
}

/** Puts values in place of macros; whatever they hold, what was JSON stays JSON. */
export function expandJson(template: JsonTemplate, values: MacroValues): string {
  let out = ''
  for (const part of template) {
    if (typeof part === 'string') out += part
    else {
      const value = (values[part.macro] ?? '').toWellFormed()
      const mapped = part.map?.get(value)
      const text = mapped ?? value
      if (part.quoted) out += JSON.stringify(text).slice(1, -1)
      else if (text === '') out += 'null'
      // what it is mapped to was typed by who reads it
      else if (mapped === undefined ? NUMBERS.has(part.macro) && NUMBER.test(text) : LITERAL.test(text)) out += text
      else out += JSON.stringify(text)
    }
  }
  return out
}
