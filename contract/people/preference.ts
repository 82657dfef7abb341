import { z } from 'zod'
import type { Role } from '#contract/access.ts'
import { endpoint } from '#contract/endpoint.ts'
import { SCREEN_IDS, screenOf, screensFor, type ScreenId } from '#contract/screens.ts'
import { FIRST_DAYS, PERIOD_PRESETS } from '#contract/traffic/period.ts'

/** How close together the rows of tables stand. */
export const DENSITIES = ['comfortable', 'compact'] as const

const SCREEN_WORDS = z.enum(SCREEN_IDS as [ScreenId, ...ScreenId[]], 'There is no such screen') // there are some

/** How somebody likes the panel to be; null = as it comes. */
export const preferences = z.object({
  density: z.enum(DENSITIES),
  /** null = as weeks begin where the reader's language is spoken. */
  first_day: z.enum(FIRST_DAYS).nullable(),
  /** What statistics and lists of traffic open with, where their address names no period. */
  default_period: z.enum(PERIOD_PRESETS).exclude(['custom']).nullable(),
  /** What opens after sign-in and at `/`: one of `homesFor` the role. */
  home: SCREEN_WORDS.nullable(),
})
export type Preferences = z.output<typeof preferences>

/** How the panel comes. */
export const AS_IT_COMES: Preferences = { density: 'comfortable', first_day: null, default_period: null, home: null }

/** The screens a role may choose as its home: those of its sidebar. */
export function homesFor(role: Role): ScreenId[] {
  return screensFor(role).filter((id) => screenOf(id).nav !== undefined)
}

/** How the caller likes the panel to be, which follows them from browser to browser. Beside `me`, which sign-in waits for. */
export const preferenceApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/preference/v1/get',
    access: 'signedIn',
    summary: 'How the caller likes the panel to be.',
    response: preferences,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/preference/v1/save',
    access: 'signedIn',
    key: 'never',
    summary: 'Changes how the caller likes the panel to be; not while acting as somebody else.',
    body: preferences,
    response: preferences,
  }),
}
