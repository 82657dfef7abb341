import { getExampleNumber, type CountryCode } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'

/** What a person of a country is asked to be called in a test: everybody sees at a glance that it is nobody. */
const NOBODY: Readonly<Record<string, string>> = {
  'lead.first_name': 'Test',
  'lead.last_name': 'Ohma',
  'lead.full_name': 'Test Ohma',
  'lead.password': 'Sample-Pass-7',
  'lead.region': '',
  'lead.city': 'Test',
  'lead.zip': '00001',
  'lead.address': '1 Test Street',
  'lead.language': 'en',
  'lead.gender': 'female',
  'lead.birth_date': '1990-01-31',
  'lead.tz': 'UTC',
  'lead.ip': '203.0.113.5',
  'lead.user_agent': 'Mozilla/5.0 (X11; Linux x86_64)',
  'lead.os': 'linux',
  'lead.device': 'desktop',
  'lead.browser': 'chrome',
  'lead.landing_url': 'https://landing.example/offer',
  'lead.funnel': 'test',
  'lead.comment': 'Test',
  'lead.traffic_type': 'warm',
  'lead.consent_proof': '',
  'lead.opt_out_url': 'https://panel.example/opt-out/sample',
  ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`lead.sub${at + 1}`, `sub${at + 1}`])),
}

/**
 * A lead nobody is, by the macros of leads: a number of the kind the country has, an address that is no one's. `country` ISO 3166,
 * `now` in ms.
 */
export function sampleLead(country: string, now: number): Readonly<Record<string, string>> {
  const at = new Date(now).toISOString()
  const phone = getExampleNumber(country as CountryCode, examples)?.number ?? '' // an unknown country has none
  const email = `test.${Math.floor(now / 1000)}@example.com`
  const moments = { 'lead.created_at': at, 'lead.registered_at': at, 'lead.consent_at': at }
  return { ...NOBODY, 'lead.phone': phone, 'lead.email': email, 'lead.country': country, ...moments }
}
