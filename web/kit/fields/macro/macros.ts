import i18next from 'i18next'
import { expand, readTemplate, type KnownMacros, type TemplateError } from '#contract/traffic/macro-template.ts'
import type { Constants } from '#web/api/constant-pairs.ts'

export type MacroPlace = Constants['macros'][number]['where'][number]
/** Values of macros that are known where an address stands: the number of its offer. */
export type MacroSamples = Readonly<Record<string, string>>
/** The macros of the constants that may be used somewhere; apart from the others the two dozen that are an ad network's own id. */
export function macrosFor(all: Constants['macros'], place: MacroPlace) {
  const usable = all.filter(({ where }) => where.includes(place))
  return { usual: usable.filter((one) => one.ad_network === undefined), ofAdNetworks: usable.filter((one) => one.ad_network !== undefined) }
}

/** What a macro stands for; '' for the click IDs of ad networks, which go by the name of the network. */
export function macroAbout(name: string): string {
  return i18next.t([`kit:macro.about.${name}`, `dimension:${name}`], { defaultValue: '' })
}

/** What is wrong with an address with macros, told while it is typed; the server checks again when it is saved. */
export function macroProblems(text: string, all: Constants['macros'], place: MacroPlace): TemplateError[] {
  if (text === '') return []
  const { errors } = readTemplate(text, place, named(all))
  // where a host ends nobody can tell of what is no address
  return errors.some(({ code }) => code === 'not_a_url') ? errors.filter(({ code }) => code !== 'macro_in_host') : errors
}

/** The address as a visitor or a partner's server would meet it, with sample values in place of macros; `all` are the macros of the constants, `own` known values by macro. */
export function samplePreview(text: string, all: Constants['macros'], place: MacroPlace, own: MacroSamples = {}): string {
  const samples = all.map(({ value, ad_network }) => [value, sampleOf(value) ?? (ad_network === undefined ? '' : SAMPLES.ad_id)])
  return expand(readTemplate(text, place, named(all)).template, { ...Object.fromEntries(samples), ...own })
}

function named(all: Constants['macros']): KnownMacros {
  return all.map(({ value, where }) => ({ name: value, where }))
}

function sampleOf(name: string): string | undefined {
  return SAMPLES[name] ?? (/^sub\d+$/.test(name) ? name : undefined)
}

const SAMPLES: Readonly<Record<string, string> & { ad_id: string }> = {
  click_id: '01k9x4c0ffee',
  aff_click_id: 'a1b2c3',
  offer_id: '17',
  offer_name: 'Summer sale',
  pid: '12',
  aff_external_id: '10704',
  source: 'feed',
  landing_id: '3',
  geo: 'PL',
  ip: '203.0.113.7',
  ua: 'Mozilla/5.0',
  os: 'Android',
  browser: 'Chrome',
  device: 'mobile',
  language: 'pl',
  os_version: '14',
  browser_version: '131.0',
  brand: 'Samsung',
  model: 'SM-S921B',
  region: 'Mazovia',
  city: 'Warsaw',
  asn: '5617',
  network: 'Orange Polska (AS5617)',
  connection: 'cellular',
  referrer: 'news.example',
  referrer_path: '/shoes',
  hints: '"Chromium";v="131"|?1|"Android"',
  unread: 'utm_term=shoes',
  ad_param: 'gclid',
  ad_id: 'Cj0KCQiA',
  timestamp: '1790000000',
  date: '2026-09-21',
  random: '48151623',
  idfa: '6D92078A-8246-4BA4-AE5B-76104861E7DC',
  gaid: '38400000-8cf0-11bd-b23e-10b96e40000d',
  reason: 'targeting_geo',
  conversion_id: '3f2a9c1e-5b7d-4e8f-a1b2-c3d4e5f60718',
  transaction_id: 'T-9001',
  goal: 'sale',
  goal_name: 'Sale',
  status: 'approved',
  old_status: 'pending',
  payout: '18.00',
  currency: 'EUR',
  click_time: '2026-09-21T10:00:00Z',
  conversion_time: '2026-09-21T10:05:00Z',
}
