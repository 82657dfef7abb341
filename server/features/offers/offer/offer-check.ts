import type { z } from 'zod'
import type { LeadParts, MemberPrice } from '#contract/leads/api-offer.ts'
import { toUnits } from '#contract/money/amount.ts'
import { deadRows } from '#contract/offers/payout-row.ts'
import { isBaseRule, type ActivationWarning, type offerForm } from '#contract/offers/offer-fields.ts'
import type { GeoChoices } from '#server/platform/geo/choices.ts'
import { readVersionCondition } from '#server/rules/offer/target.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import { cleanHtml } from '#server/platform/rich-text.ts'
import type { MacroPlace } from '#contract/traffic/macro-template.ts'
import { describeTemplateErrors, parseTemplate } from '#server/rules/macros.ts'
import type { PayoutRule } from '#server/rules/offer/payout.ts'
import { BROWSERS, OPERATING_SYSTEMS } from '#server/rules/click/user-agent.ts'

/** An offer of either type as it is saved, checked by the contract: that of an advertiser, or one of leads, which has none. */
export type OfferForm = Omit<z.output<typeof offerForm>, 'advertiser_uuid'> & {
  advertiser_uuid: string | null
  leads?: LeadParts | undefined
}

/**
 * What the contract cannot check: macros, and families the tracker tells apart. Answers the offer with its texts
 * sanitised; throws `invalid_input` with every mistake.
 */
export function checkOffer(offer: OfferForm): OfferForm {
  const fields: FieldErrors = {}
  checkAddress(fields, 'tracking_url', offer.tracking_url, offer.app_links ? 'app' : 'offer')
  checkAddress(fields, 'trafficback_url', offer.trafficback_url, 'trafficback')
  if (/[{}]/.test(offer.preview_url)) fields['preview_url'] = 'Macros cannot be used here.'
  checkFamilies(fields, 'targeting.os.values', offer.targeting.os?.values ?? [], OPERATING_SYSTEMS)
  checkFamilies(fields, 'targeting.browser.values', offer.targeting.browser?.values ?? [], BROWSERS)
  const systems = offer.targeting.os_version?.values.map((text) => readVersionCondition(text)?.os ?? '') ?? []
  checkFamilies(fields, 'targeting.os_version.values', systems, OPERATING_SYSTEMS)
  offer.goals.forEach((goal, index) =>
    goal.rules.forEach((rule, position) => checkFamilies(fields, `goals.${index}.rules.${position}.oses`, rule.oses, OPERATING_SYSTEMS)),
  )
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  return { ...offer, description: cleanHtml(offer.description), kpi: cleanHtml(offer.kpi) }
}

/** Refuses places and networks no address is in: nobody would ever fit. Throws `invalid_input`. */
export async function refuseUnknownPlaces(choices: GeoChoices, targeting: OfferForm['targeting']): Promise<void> {
  const fields: FieldErrors = {}
  for (const kind of ['region', 'city', 'network'] as const) {
    const values = targeting[kind]?.values ?? []
    const known = await choices.labels(kind, values)
    const unknown = values.filter((value) => !known.has(value))
    if (unknown.length > 0) fields[`targeting.${kind}.values`] = `No visitor comes from ${unknown.slice(0, 5).join(', ')}.`
  }
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}

/** Refuses what an active offer cannot be without. Throws `base_rule_missing`, `offer_incomplete`. */
export function refuseUnready(offer: {
  type: 'direct' | 'api'
  tracking_url: string
  goals: { rules: Parameters<typeof isBaseRule>[0][] }[]
}): void {
  const fields: FieldErrors = {}
  offer.goals.forEach((goal, index) => {
    if (!goal.rules.some(isBaseRule)) fields[`goals.${index}.rules`] = 'Add a base row: one that applies to everybody'
  })
  if (Object.keys(fields).length > 0) throw new AppError('base_rule_missing', { fields })
  // one of leads leads to its landings, and takes leads without a click too
  if (offer.type === 'direct' && offer.tracking_url === '')
    throw new AppError('offer_incomplete', { fields: { tracking_url: 'An active offer needs a destination' } })
}

const WARNING_TEXTS: Readonly<Record<ActivationWarning, string>> = {
  no_click_id: 'The destination lacks {click_id}: no postback could name its click',
  pays_more: 'A payout row pays more than it earns',
}

export type Doubted = {
  tracking_url: string
  /** Those visitors are led to; a pre-landing leads on by the click itself. */
  landings: readonly { url: string; type: string; status: string }[]
  goals: readonly { code?: string; rules: readonly DoubtedRule[] }[]
  type?: 'direct' | 'api'
  /** Of one of leads, in place of what its payout rows bring: what each product pays, and what for. */
  prices?: readonly Pick<MemberPrice, 'goal' | 'geos' | 'price' | 'payout'>[]
}
type DoubtedRule = Pick<PayoutRule, 'payout_fixed' | 'payout_percent' | 'revenue_fixed' | 'revenue_percent' | 'geos'> & {
  /** Whose row it is; none = everybody's. */
  affiliate_uuids: readonly unknown[]
}

/**
 * Refuses what looks like a mistake in an offer that is to be active, unless it was confirmed, or was so `before` it was
 * changed. Throws `offer_doubtful`.
 */
export function refuseDoubtful(offer: Doubted, confirmed: readonly ActivationWarning[], before?: Doubted): void {
  const known = before === undefined ? [] : doubtsOf(before)
  const open = doubtsOf(offer).filter(
    ({ warning, about }) => !confirmed.includes(warning) && !known.some((one) => one.warning === warning && one.about === about),
  )
  if (open.length > 0)
    throw new AppError('offer_doubtful', { fields: Object.fromEntries(open.map(({ warning }) => [warning, WARNING_TEXTS[warning]])) })
}

/** What activating an offer as it stands asks to have confirmed. */
export function warningsOf(offer: Doubted): ActivationWarning[] {
  return [...new Set(doubtsOf(offer).map(({ warning }) => warning))]
}

/** What looks like a mistake, and in which address or payout row. */
function doubtsOf({ tracking_url, landings, goals, type, prices = [] }: Doubted): { warning: ActivationWarning; about: string }[] {
  const namesClick = (url: string) =>
    parseTemplate(url, 'offer').template.some((part) => typeof part !== 'string' && part.macro === 'click_id')
  // visitors of an offer of leads are led to its landings alone
  const own = type === 'api' ? [] : [tracking_url]
  const urls = [...own, ...landings.filter(({ type, status }) => type === 'landing' && status === 'active').map(({ url }) => url)]
  const figures = (rule: Doubted['goals'][number]['rules'][number]) =>
    [rule.payout_fixed, rule.payout_percent, rule.revenue_fixed, rule.revenue_percent].map(toUnits).join(' ')
  return [
    ...urls.filter((url) => !namesClick(url)).map((about) => ({ warning: 'no_click_id' as const, about })),
    ...(type === 'api' ? [] : goals)
      .flatMap(({ rules }) => rules.filter(paysMore))
      .map((rule) => ({ warning: 'pays_more' as const, about: figures(rule) })),
    ...prices.flatMap((row) =>
      payoutsFor(row, goals).flatMap((payout) =>
        toUnits(payout) > toUnits(row.price) ? [{ warning: 'pays_more' as const, about: `${payout} for ${row.price}` }] : [],
      ),
    ),
  ]
}

/** What is paid where a product brings a price: what it says itself, the rows of affiliates alone, and without an own payout all rows of the goal. */
function payoutsFor({ goal, geos, payout }: NonNullable<Doubted['prices']>[number], goals: Doubted['goals']): string[] {
  const rules = goals.flatMap(({ code, rules: rows }) => (code === goal ? rows : []))
  const there = rules.filter((rule) => rule.geos.length === 0 || geos.length === 0 || rule.geos.some((geo) => geos.includes(geo)))
  const counting = payout === null ? there : there.filter(({ affiliate_uuids }) => affiliate_uuids.length > 0)
  return [...(payout === null ? [] : [payout]), ...counting.map(({ payout_fixed }) => payout_fixed)]
}

/** Whether a row loses money whatever is reported: its fixed part or its share pays more, and the other makes up for nothing. */
function paysMore(rule: Doubted['goals'][number]['rules'][number]): boolean {
  const fixed = toUnits(rule.revenue_fixed) - toUnits(rule.payout_fixed)
  const share = toUnits(rule.revenue_percent) - toUnits(rule.payout_percent)
  return (fixed < 0n && share <= 0n) || (share < 0n && fixed <= 0n)
}

/**
 * Refuses a payout row that was for a landing which leaves with this save, and would now hold for everybody under the same
 * conditions, whatever it pays. Whoever means that saves it apart from taking the landing out. Throws `invalid_input`.
 */
export function refuseWidened(before: Pick<OfferForm, 'goals' | 'landings'>, form: OfferForm): void {
  const staying = new Set(form.landings.map((landing) => landing.landing_uuid))
  const leaving = new Set(before.landings.map((landing) => landing.landing_uuid).filter((uuid) => !staying.has(uuid)))
  const fields: FieldErrors = {}
  form.goals.forEach((goal, index) => {
    const rows = before.goals.filter((one) => one.uuid === goal.uuid || one.code === goal.code).flatMap((one) => one.rules)
    goal.rules.forEach((rule, position) => {
      const same = rule.landing_uuids.length > 0 ? [] : rows.filter((row) => conditionsOf(row) === conditionsOf(rule))
      if (same.some((row) => row.landing_uuids.some((uuid) => leaving.has(uuid))) && same.every((row) => row.landing_uuids.length > 0))
        fields[`goals.${index}.rules.${position}.landing_uuids`] =
          'This row was only for a landing you take out: remove the row too, or save the two changes apart'
    })
  })
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}

/**
 * Refuses payout rows that can never win, but for those that could not `before` and were left as they are: whoever changes something
 * else is not kept from saving by what others left. Throws `invalid_input`.
 */
export function refuseDead(before: Pick<OfferForm, 'goals'>, form: OfferForm): void {
  const known = deadRows(before.goals).map(({ goal, position }) => wholeRow(before.goals[goal], position))
  const open = deadRows(form.goals).filter(({ goal, position }) => !known.includes(wholeRow(form.goals[goal], position)))
  if (open.length > 0)
    throw new AppError('invalid_input', {
      fields: Object.fromEntries(open.map(({ goal, position, text }) => [`goals.${goal}.rules.${position}`, text])),
    })
}

/** A row with its goal and terms, however lists are ordered and amounts written. */
function wholeRow(goal: OfferForm['goals'][number] | undefined, position: number): string {
  const rule = goal?.rules[position]
  if (goal === undefined || rule === undefined) return ''
  const amounts = [rule.payout_fixed, rule.payout_percent, rule.revenue_fixed, rule.revenue_percent]
  return JSON.stringify([goal.code, conditionsOf(rule), rule.landing_uuids.toSorted(), amounts.map((amount) => String(toUnits(amount)))])
}

/** Whom and where a row is for, its landings aside, in any order of the lists. */
function conditionsOf({ affiliate_uuids, geos, devices, oses }: OfferForm['goals'][number]['rules'][number]): string {
  return JSON.stringify([affiliate_uuids, geos, devices, oses].map((list) => list.toSorted()))
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
