import { z } from 'zod'
import { defineSetting } from '#contract/network/define-setting.ts'

/** Where consents are asked for in different ways. */
export const CONSENT_REGIONS = ['eea', 'uk', 'ch', 'elsewhere'] as const
export type ConsentRegion = (typeof CONSENT_REGIONS)[number]

/** Without a consent that names the advertiser nobody is sent; they are, with a warning, unless it names others; or nobody asks. */
export const CONSENT_GATES = ['block', 'warn', 'off'] as const
const gate = z.enum(CONSENT_GATES)

/** How a second sale looks at consents, by where people live. */
export const coldConsentSetting = defineSetting(
  'cold-consent',
  { access: 'cold.consent', about: 'how a second sale looks at consents, by where people live', key: 'never' },
  { eea: gate, uk: gate, ch: gate, elsewhere: gate } satisfies Record<ConsentRegion, typeof gate>,
  { eea: 'block', uk: 'block', ch: 'block', elsewhere: 'warn' },
)

const EEA = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IS IE IT LV LI LT LU MT NL NO PL PT RO SK SI ES SE AX GF GP MQ RE YT MF'.split(' '),
)

/** The region of a country; of nobody knows where the strictest. */
export function consentRegionOf(country: string): ConsentRegion {
  if (country === 'GB' || country === 'GI' || country === 'JE' || country === 'GG' || country === 'IM') return 'uk'
  if (country === 'CH') return 'ch'
  return country === '' || EEA.has(country) ? 'eea' : 'elsewhere'
}

export const coldConsentApi = { read: coldConsentSetting.read, update: coldConsentSetting.update }
