import i18next from 'i18next'
import type { Say } from '#web/i18n/use-translation.ts'
import { z } from 'zod'
import type { offerChange } from '#contract/offers/offer.ts'
import { goalInput, targeting } from '#contract/offers/offer-fields.ts'
import { offerCap } from '#contract/offers/offer-cap.ts'
import { offerLandingsInput } from '#contract/offers/offer-landing.ts'
import { currency, type Currency } from '#contract/money/amount.ts'
import { dateTime, integer, UNKNOWN } from '#web/format.ts'
import { capAmount, capTitle } from '#web/cap-words.ts'
import { TARGETS, targetWords } from '#web/targeting-words.ts'
import { ruleSentence } from '#web/features/offers/offer/rule-words.ts'

type Change = Pick<z.output<typeof offerChange>, 'before' | 'after' | 'named' | 'network_names'>
type Named = Change['named']
type Fields = Change['before']
/** What its figures are in. */
type Offer = { currency: Currency; time_zone: string }
export type ChangeLine = { field: string; before: string[]; after: string[] }

/** A change in words: one entry for each field, lines that stayed the same left out. Amounts and times are those of the offer then, where the change says so. */
export function changeLines(t: Say<'offer'>, change: Change, offer: Offer): ChangeLine[] {
  const { before, after } = change
  // in the order of the form
  const names = [...new Set([...Object.keys(NAMES), ...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.flatMap((name) => {
    const was = linesOf(t, name, before?.[name], change, unitsOf(before, offer))
    const is = linesOf(t, name, after?.[name], change, unitsOf(after, offer))
    const line = {
      field: fieldName(t, name),
      before: before === null ? [] : was.filter((text) => !is.includes(text)),
      // what a new offer does not say is no change
      after: is.filter((text) => !was.includes(text) && !(before === null && text === UNKNOWN)),
    }
    return line.before.length + line.after.length === 0 ? [] : [line]
  })
}

function linesOf(t: Say<'offer'>, name: string, value: unknown, change: Change, offer: Offer): string[] {
  if (value === undefined || BOOKKEEPING.includes(name)) return []
  const { named } = change
  if (name === 'goals') return goalLines(t, value, named, offer.currency)
  if (name === 'landings') return landingLines(t, value, named)
  if (name === 'targeting') return targetLines(t, value, change.network_names)
  const caps = name === 'caps' ? z.array(offerCap).safeParse(value) : undefined
  if (caps?.data?.length) return caps.data.map((cap) => `${capTitle(cap)}: ${capAmount(cap, cap.limit, offer.currency)}`)
  const kind = /^(.+)_(?:uuid|id)$/.exec(name)?.[1]
  if (kind !== undefined && value !== null) return [nameOf(named, kind, value)]
  const unit = name in UNITS ? UNITS[name as keyof typeof UNITS] : undefined // as just found
  if (unit !== undefined && typeof value === 'number') return [t(unit, { count: value, number: integer(value) })]
  if ((name === 'start_at' || name === 'stop_at') && typeof value === 'string') return [dateTime(value, offer.time_zone)]
  if (name === 'description' || name === 'kpi') return [plainText(String(value))]
  if (Array.isArray(value) && value.length > 0) return [value.map((one) => wordOf(name, String(one))).join(', ')]
  return [typeof value === 'string' && value !== '' ? wordOf(name, value) : plainValue(t, value)]
}

/** Who decided and when stands over the change; kept so that it can be taken back. */
const BOOKKEEPING = ['decided_at', 'decided_by']

/** What the figures of a field count. */
const UNITS = {
  hold_days: 'daysCount',
  click_lifetime_days: 'daysCount',
  min_conversion_time: 'secondsCount',
  max_conversion_time: 'secondsCount',
  daily_cap: 'perDayCount',
} as const

/** Where the names of a field's codes are. */
const WORDS: Readonly<Record<string, { ns: 'offer' | 'constant'; prefix: string }>> = {
  status: { ns: 'offer', prefix: 'status' },
  privacy: { ns: 'offer', prefix: 'privacyShort' },
  redirect_type: { ns: 'offer', prefix: 'redirect' },
  over_cap_action: { ns: 'offer', prefix: 'overCap' },
  vertical: { ns: 'constant', prefix: 'verticals' },
  traffic_sources: { ns: 'constant', prefix: 'traffic' },
}

/** A code by its name; one without a name, and any other text, stays as it is. */
function wordOf(field: string, text: string): string {
  const words = WORDS[field]
  return words === undefined ? text : i18next.t(`${words.prefix}.${text}`, { ns: words.ns, defaultValue: text })
}

function goalLines(t: Say<'offer'>, value: unknown, named: Named, unit: Currency): string[] {
  const goals = z.array(goalInput).safeParse(value)
  if (!goals.success) return [plainValue(t, value)]
  return goals.data.flatMap((goal) => [
    [
      goal.title,
      goal.code,
      t(`goalType.${goal.type}`),
      ...(goal.is_default ? [t('goal.isDefault')] : []),
      ...(goal.hidden ? [t('goal.isHidden')] : []),
    ].join(' · '),
    ...goal.rules.map((rule) =>
      ruleSentence(
        t,
        {
          ...rule,
          affiliates: rule.affiliate_uuids.map((uuid) => nameOf(named, 'affiliate', uuid)),
          landings: rule.landing_uuids.map((uuid) => nameOf(named, 'landing', uuid)),
        },
        goal.title,
        unit,
      ),
    ),
  ])
}

function landingLines(t: Say<'offer'>, value: unknown, named: Named): string[] {
  const landings = offerLandingsInput.safeParse(value)
  return landings.success
    ? landings.data.map(({ landing_uuid, weight }) => t('landing.weighs', { name: nameOf(named, 'landing', landing_uuid), weight }))
    : []
}

/** What a number or uuid of the log stands for: affiliates with the number people know them by, what is gone by a piece of its uuid. */
function nameOf(named: Named, kind: string, key: unknown): string {
  const found = named.find((one) => one.kind === kind && (one.uuid === key || one.id === key))
  if (found === undefined) return String(key).slice(0, 8)
  return kind === 'affiliate' || found.name === '' ? `${found.id} ${found.name}`.trim() : found.name
}

function targetLines(t: Say<'offer'>, value: unknown, networks: Change['network_names']): string[] {
  const sets = targeting.safeParse(value)
  if (!sets.success) return [plainValue(t, value)]
  return TARGETS.map(
    (dimension) => `${i18next.t(dimension, { ns: 'dimension' })}: ${targetWords(dimension, sets.data[dimension], networks)}`,
  )
}

function plainValue(t: Say<'offer'>, value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return UNKNOWN
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function plainText(html: string): string {
  const apart = html.replace(/<\/(p|li|h\d)>/g, '$& ') // paragraphs have no space between them
  const text = new DOMParser().parseFromString(apart, 'text/html').body.textContent.trim()
  return text === '' ? UNKNOWN : text.length > 300 ? `${text.slice(0, 300)}…` : text
}

const NAMES: Readonly<Record<string, string>> = {
  title: 'title',
  privacy: 'privacy',
  vertical: 'vertical',
  currency: 'currency',
  tracking_url: 'trackingUrl',
  preview_url: 'previewUrl',
  trafficback_url: 'trafficbackUrl',
  description: 'description',
  kpi: 'kpi',
  external_id: 'externalId',
  notes: 'notes',
  traffic_sources: 'trafficSources',
  tags: 'tags',
  start_at: 'startAt',
  stop_at: 'stopAt',
  time_zone: 'time_zone',
  hold_days: 'hold',
  click_lifetime_days: 'clickLifetime',
  min_conversion_time: 'minTime',
  max_conversion_time: 'maxTime',
  redirect_type: 'redirectType',
  deep_link_hosts: 'deepLinkHosts',
  app_links: 'appLinks',
  targeting: 'section.targeting',
  caps: 'caps',
  daily_cap: 'dailyCap', // entries made before an offer had several
  over_cap_action: 'overCap',
  advertiser_uuid: 'advertiser',
  affiliate_id: 'affiliate',
  message: 'access.message',
  goals: 'section.goals',
  landings: 'section.landings',
  landing_uuid: 'landing.is.landing',
  landing: 'landing.is.landing', // entries made before the log kept uuids
  reason: 'landing.rejectedFor',
  status: 'status',
}

function fieldName(t: Say<'offer'>, name: string): string {
  const key = NAMES[name]
  return key !== undefined && i18next.exists(key, { ns: 'offer' }) ? t(key as 'title') : name // exists() has just found it
}

function unitsOf(fields: Fields, offer: Offer): Offer {
  const own = currency.safeParse(fields?.['currency'])
  const zone = fields?.['time_zone']
  return { currency: own.success ? own.data : offer.currency, time_zone: typeof zone === 'string' ? zone : offer.time_zone }
}
