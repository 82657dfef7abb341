import i18next, { type TFunction } from 'i18next'
import { z } from 'zod'
import { goalInput, offerStatus, targeting } from '#contract/offer-fields.ts'
import { currency, type Currency } from '#contract/money.ts'
import { UNKNOWN } from '#web/format.ts'
import { ruleSentence } from '#web/features/offer/rule-words.ts'

type Fields = Readonly<Record<string, unknown>> | null
export type ChangeLine = { field: string; before: string[]; after: string[] }

/** A change in words: one entry for each field, lines that stayed the same left out. */
export function changeLines(t: TFunction<'offer'>, { before, after }: { before: Fields; after: Fields }, offered: Currency): ChangeLine[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.flatMap((name) => {
    const was = linesOf(t, name, before?.[name], moneyOf(before, offered))
    const is = linesOf(t, name, after?.[name], moneyOf(after, offered))
    const line = {
      field: fieldName(t, name),
      before: before === null ? [] : was.filter((text) => !is.includes(text)),
      after: is.filter((text) => !was.includes(text)),
    }
    return line.before.length + line.after.length === 0 ? [] : [line]
  })
}

function linesOf(t: TFunction<'offer'>, name: string, value: unknown, unit: Currency): string[] {
  if (value === undefined) return []
  if (name === 'goals') return goalLines(t, value, unit)
  if (name === 'targeting') return targetLines(t, value)
  if (name === 'description' || name === 'kpi') return [plainText(String(value))]
  const status = name === 'status' ? offerStatus.safeParse(value) : undefined
  return [status?.success ? t(`status.${status.data}`) : plainValue(t, value)]
}

function goalLines(t: TFunction<'offer'>, value: unknown, unit: Currency): string[] {
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
    // the log keeps uuids, of which people know none: a short piece tells them apart
    ...goal.rules.map((rule) =>
      ruleSentence(t, { ...rule, affiliates: rule.affiliate_uuids.map((uuid) => uuid.slice(0, 8)) }, goal.title, unit),
    ),
  ])
}

function targetLines(t: TFunction<'offer'>, value: unknown): string[] {
  const sets = targeting.safeParse(value)
  if (!sets.success) return [plainValue(t, value)]
  return (['geo', 'device', 'os', 'browser', 'language'] as const).map((dimension) => {
    const set = sets.data[dimension]
    const list =
      set === null ? t('target.any') : set.mode === 'include' ? set.values.join(', ') : t('target.but', { list: set.values.join(', ') })
    return `${t(`dimension.${dimension}`)}: ${list}`
  })
}

function plainValue(t: TFunction<'offer'>, value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return UNKNOWN
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function plainText(html: string): string {
  const text = new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
  return text === '' ? UNKNOWN : text.length > 300 ? `${text.slice(0, 300)}…` : text
}

const NAMES: Readonly<Record<string, string>> = {
  title: 'title', privacy: 'privacy', vertical: 'vertical', currency: 'currency', tracking_url: 'trackingUrl', preview_url: 'previewUrl',
  trafficback_url: 'trafficbackUrl', description: 'description', kpi: 'kpi', notes: 'notes', traffic_sources: 'trafficSources', tags: 'tags',
  start_at: 'startAt', stop_at: 'stopAt', time_zone: 'timeZone', hold_days: 'hold', click_lifetime_days: 'clickLifetime', min_conversion_time: 'minTime',
  max_conversion_time: 'maxTime', redirect_type: 'redirectType', deep_link_hosts: 'deepLinkHosts', targeting: 'section.targeting', daily_cap: 'dailyCap',
  over_cap_action: 'overCap', advertiser_uuid: 'advertiser', goals: 'section.goals', status: 'status',
} // prettier-ignore

function fieldName(t: TFunction<'offer'>, name: string): string {
  const key = NAMES[name]
  return key !== undefined && i18next.exists(key, { ns: 'offer' }) ? t(key as 'title') : name // exists() has just found it
}

function moneyOf(fields: Fields, offered: Currency): Currency {
  const own = currency.safeParse(fields?.['currency'])
  return own.success ? own.data : offered
}
