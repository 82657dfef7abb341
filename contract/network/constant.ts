import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { MACRO_PLACES } from '#contract/traffic/macro-template.ts'

/** value → label. The web turns arrays and maps alike into value/label pairs. */
const map = z.record(z.string(), z.string())
const list = z.array(z.string())

/** Everything the panel needs to fill its pickers, kept in the browser for 24 hours. */
export const constants = z.object({
  browsers: list,
  devices: map,
  geos: map,
  oss: list,
  integration_types: map,
  verticals: map,
  goals: map,
  traffic: map,
  languages: map,
  paid_statuses: map,
  /** What can be chosen. */
  currency: map,
  /** How amounts are written, by currency; '' = the sign of the reader's language, or the code. */
  currency_format: z.record(z.string(), z.object({ decimals: z.int(), sign: z.string() })),
  payment_systems: map,
  country_code_phone: z.record(z.string(), z.object({ name: z.string(), code: z.string() })),
  manager_roles: map,
  manager_types: map,
  genders: map,
  time_zones: map,
  lead_history_status: map,
  lead_genders: map,
  lead_os: list,
  lead_device: map,
  track_domains: list,
  page_access: list,
  macros: z.array(
    z.object({
      name: z.string(),
      where: z.array(z.enum(MACRO_PLACES)),
      /** Whose own id of the click it is, where the name is that of an ad network's parameter. */
      ad_network: z.string().optional(),
    }),
  ),
  time: map,
  partner_settings: z.object({ time_zone: z.string(), zone_hours: z.string() }),
})

/** Reference data of guest pages; phone codes are keyed by prefix. */
export const guestConstants = z.object({ verticals: map, geos: map, traffic: map, country_code_phone: map })

export const constantApi = {
  all: endpoint({
    method: 'GET',
    path: '/api/constant/v1/all',
    access: 'signedIn',
    key: 'always',
    whileSettingUp: true,
    summary: 'Reference data of the panel.',
    response: constants,
  }),
  guest: endpoint({
    method: 'GET',
    path: '/api/constant/v1/guest',
    access: 'public',
    summary: 'Reference data of guest pages.',
    response: guestConstants,
  }),
}

/** The header of every answer that tells which version of the constants is current. */
export const CONSTANTS_VERSION_HEADER = 'x-constants-version'
