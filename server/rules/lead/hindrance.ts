import type { CascadeMember } from './cascade.ts'

/** What is known of a product in a place: of the place, of the product itself and of its advertiser. */
export type Standing = {
  /** The place alone; absent = there is none, the product itself is meant. */
  paused?: boolean
  status: string
  advertiser_status: string
  /** Its advertiser has used up its credit. */
  credit_blocked: boolean
  /** Its advertiser's system accepted a test by the version leads are sent by. */
  ready: boolean
  /** Its account was refused. */
  blocked: boolean
  rests_until: Date | null
}

const STATES = {
  paused: 'paused',
  advertiser: 'paused',
  product_paused: 'paused',
  credit_blocked: 'credit_blocked',
  untested: 'untested',
  blocked: 'suspended',
  resting: 'suspended',
} as const
export type Hindrance = keyof typeof STATES

/** Why a product is offered no leads, whatever the hour and however full it is; null = nothing keeps it. Every screen and the cascade say what this says. */
export function hindranceOf(of: Standing, now: number): Hindrance | null {
  if (of.paused === true) return 'paused'
  if (of.advertiser_status !== 'active') return 'advertiser'
  if (of.status !== 'active') return 'product_paused'
  if (of.credit_blocked) return 'credit_blocked'
  if (!of.ready) return 'untested'
  if (of.blocked) return 'blocked'
  return of.rests_until !== null && of.rests_until.getTime() > now ? 'resting' : null
}

/** The same as the cascade tells it. */
export function stateOf(of: Standing, now: number): CascadeMember['state'] {
  const hindrance = hindranceOf(of, now)
  return hindrance === null ? 'active' : STATES[hindrance]
}
