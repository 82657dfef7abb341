import { z } from 'zod'
import { email, languageCode, line, requiredLine, timeZone, webAddress } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import type { RefusalGroup } from '#contract/traffic/refusal.ts'
import { defineSetting } from './define-setting.ts'

const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'A colour such as #4361ee')
/** A small picture as a data address; checked on the server. */
const picture = z
  .string()
  .max(200_000)
  .regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+$/, 'A PNG, JPEG or WebP picture of at most 140 KB')

/** Whole days or months; one text for all that is wrong with it. */
const wholeNumber = (least: number, most: number) => {
  const mistake = `A whole number from ${least} to ${most}`
  return z.number(mistake).int(mistake).min(least, mistake).max(most, mistake)
}

/** How the network presents itself, and what its figures are counted in. */
export const generalSetting = defineSetting(
  'general',
  { access: 'setting.general', about: 'title, logo, colour, zone and base currency' },
  {
    partner_title: requiredLine(60),
    logo: picture.nullable(),
    /** Its own sign in browsers; null = the first letter of the title on the colour. */
    favicon: picture.nullable(),
    colour,
    time_zone: timeZone,
    base_currency: currency,
    /** The languages people may choose. */
    languages: z.array(languageCode).min(1, 'Choose at least one').max(languageCode.options.length),
    /** Of guests and new accounts: one of them. */
    language: languageCode,
    contact_email: line(254).refine((text) => text === '' || email.safeParse(text).success, 'This is not an e-mail address'),
    /** Days after which the addresses and User-Agents of clicks and conversions are cleared. */
    address_days: wholeNumber(1, 3650),
    /** Months after which single clicks are deleted; all figures but those that need the single click stay. */
    click_months: wholeNumber(1, 120),
    /** Days after which incoming postbacks are deleted; conversions, history and money stay. */
    postback_days: wholeNumber(1, 3650),
    /** Whether affiliates see whole addresses of visitors, in lists and through `{ip}`; otherwise their networks, /24 and /48. */
    whole_addresses: z.boolean(),
  },
  {
    partner_title: 'Ohma',
    logo: null,
    favicon: null,
    colour: '#4361ee',
    time_zone: 'UTC',
    base_currency: 'USD',
    languages: ['en', 'uk'],
    language: 'en',
    contact_email: '',
    address_days: 90,
    click_months: 13,
    postback_days: 90,
    whole_addresses: false,
  },
)

/**
 * Where refused clicks go when their offer says nothing else, with macros: to the address of the group their reason is in
 * (`REFUSAL_GROUPS`), where that is '' to `url`, and where this is '' too to a plain page.
 */
export const trafficbackSetting = defineSetting(
  'trafficback',
  { access: 'setting.trafficback', about: "the network's trafficback addresses: the general one, and those by the reason of a refusal" },
  {
    url: webAddress(),
    affiliate_url: webAddress(),
    offer_url: webAddress(),
    dates_url: webAddress(),
    access_url: webAddress(),
    place_url: webAddress(),
    visitor_url: webAddress(),
    cap_url: webAddress(),
  } satisfies Record<'url' | `${RefusalGroup}_url`, ReturnType<typeof webAddress>>,
  { url: '', affiliate_url: '', offer_url: '', dates_url: '', access_url: '', place_url: '', visitor_url: '', cap_url: '' },
)

export const settingApi = {
  general: generalSetting.read,
  updateGeneral: generalSetting.update,
  trafficback: trafficbackSetting.read,
  updateTrafficback: trafficbackSetting.update,
}
