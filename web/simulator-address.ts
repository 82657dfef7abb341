import type { z } from 'zod'
import { targetDevice } from '#contract/offers/offer-fields.ts'
import type { click } from '#contract/traffic/click.ts'
import { screenHref } from '#web/shell/access.ts'

/** A click that was, as the simulator of its offer is asked about it; '' = not known. */
export type SimulatedClick = Record<(typeof KEYS)[number], string>

const KEYS = [
  'affiliate',
  'affiliate_id',
  'affiliate_name',
  'geo',
  'place',
  'device',
  'os',
  'os_version',
  'browser',
  'language',
  'network',
  'landing',
  'at',
] as const

/** Where every check of a click is run again, as its offer stands now; undefined where the offer, the affiliate or the kind of device is unknown. */
export function simulatorHref({ offer, affiliate, landing, geo, region, city, at, ...of }: z.output<typeof click>): string | undefined {
  const { device, os, os_version, browser, language, network } = of
  if (!offer.uuid || !affiliate?.uuid || !targetDevice.safeParse(device).success) return undefined
  const asked: SimulatedClick = {
    affiliate: affiliate.uuid,
    affiliate_id: affiliate.id,
    affiliate_name: affiliate.label,
    geo,
    place: region === '' ? '' : [geo, region, city].filter(Boolean).join('/'),
    device,
    os,
    os_version,
    browser,
    language,
    network,
    landing: landing.uuid ? landing.id : '',
    at,
  }
  const search = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ''))
  return `${screenHref('offerDetailDirect', { uuid: offer.uuid })}?tab=simulator&${search}`
}

/** What an address asks the simulator about; null where it asks nothing. */
export function simulatedClick(search: URLSearchParams): SimulatedClick | null {
  if (!search.has('affiliate')) return null
  return Object.fromEntries(KEYS.map((key) => [key, (search.get(key) ?? '').slice(0, 200)])) as SimulatedClick // each key has its value
}
