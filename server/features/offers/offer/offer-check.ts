import type { z } from 'zod'
import { isBaseRule, type offerInput } from '#contract/offers/offer-fields.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import { cleanHtml } from '#server/platform/rich-text.ts'
import { describeTemplateErrors, parseTemplate, type MacroPlace } from '#server/rules/macros.ts'
import { BROWSERS, OPERATING_SYSTEMS } from '#server/rules/click/user-agent.ts'

/** An offer as it is saved, checked by the contract. */
export type OfferForm = z.output<typeof offerInput>

/**
 * What the contract cannot check: macros, and families the tracker tells apart. Answers the offer with its texts
 * sanitised; throws `invalid_input` with every mistake.
 */
export function checkOffer(offer: OfferForm): OfferForm {
  const fields: FieldErrors = {}
  checkAddress(fields, 'tracking_url', offer.tracking_url, 'offer')
  checkAddress(fields, 'trafficback_url', offer.trafficback_url, 'trafficback')
  if (/[{}]/.test(offer.preview_url)) fields['preview_url'] = 'Macros cannot be used here.'
  checkFamilies(fields, 'targeting.os.values', offer.targeting.os?.values ?? [], OPERATING_SYSTEMS)
  checkFamilies(fields, 'targeting.browser.values', offer.targeting.browser?.values ?? [], BROWSERS)
  offer.goals.forEach((goal, index) =>
    goal.rules.forEach((rule, position) => checkFamilies(fields, `goals.${index}.rules.${position}.oses`, rule.oses, OPERATING_SYSTEMS)),
  )
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  return { ...offer, description: cleanHtml(offer.description), kpi: cleanHtml(offer.kpi) }
}

/** Refuses what an active offer cannot be without. Throws `base_rule_missing`, `offer_incomplete`. */
export function refuseUnready(offer: { tracking_url: string; goals: { rules: Parameters<typeof isBaseRule>[0][] }[] }): void {
  const fields: FieldErrors = {}
  offer.goals.forEach((goal, index) => {
    if (!goal.rules.some(isBaseRule)) fields[`goals.${index}.rules`] = 'Add a base row: one that applies to everybody'
  })
  if (Object.keys(fields).length > 0) throw new AppError('base_rule_missing', { fields })
  if (offer.tracking_url === '') throw new AppError('offer_incomplete', { fields: { tracking_url: 'An active offer needs a destination' } })
}

function checkAddress(fields: FieldErrors, name: string, text: string, where: MacroPlace): void {
  if (text === '') return
  const { errors } = parseTemplate(text, where)
  if (errors.length > 0) fields[name] = describeTemplateErrors(errors)
}

function checkFamilies(fields: FieldErrors, name: string, values: readonly string[], known: readonly string[]): void {
  const unknown = values.filter((value) => !known.includes(value))
  if (unknown.length > 0) fields[name] = `Clicks are never told apart as ${unknown.join(', ')}`
}
