import { AppError } from '#server/platform/errors.ts'
import { CLICK_ID_LENGTH } from '#server/rules/click/click-id.ts'
import { expand } from '#contract/traffic/macro-template.ts'
import { describeTemplateErrors, MACROS, parseTemplate } from '#server/rules/macros.ts'

/** Refuses macros that nothing fills, by their names. Throws `invalid_input`. */
export function checkLandingAddress(url: string): void {
  const { errors } = parseTemplate(url, 'offer')
  if (errors.length > 0) throw new AppError('invalid_input', { fields: { url: describeTemplateErrors(errors) } })
}

/** The address as a browser would get it, with sample values in place of macros. */
export function sampleAddress(url: string): string {
  return expand(parseTemplate(url, 'offer').template, SAMPLES)
}

const SAMPLES = { ...Object.fromEntries(MACROS.map(({ name }) => [name, 'test'])), click_id: '0'.repeat(CLICK_ID_LENGTH), geo: 'US' }
