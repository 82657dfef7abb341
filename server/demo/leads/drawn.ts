import type { SkipReason } from '#contract/leads/recold-plan.ts'
import type { MemberRow } from '#server/features/leads/api-offer/cascade.queries.ts'
import type { STATUS_OF } from '#server/features/leads/send/send.queries.ts'
import type { Told } from '#server/features/leads/session/vault.ts'
import type { CascadeGroup, Considered } from '#server/rules/lead/cascade.ts'
import type { Answer, Judged } from '#server/rules/lead/integration/read-answer.ts'
import type { MadeProduct } from './make.ts'
import type { LeadOfferPlan } from './offers.ts'
import type { DemoPerson } from './person.ts'

export type DrawnPerson = { told: Told; phone: string; email: string; person: DemoPerson; test: boolean; first: number; last: number }
export type DrawnSend = {
  uuid: string
  member: MemberRow
  product: MadeProduct
  status: (typeof STATUS_OF)[keyof typeof STATUS_OF]
  judged: Judged
  answer: Answer
  attempt: number
  askedAt: number
  answeredAt: number
}
export type DrawnSession = {
  uuid: string
  person: DrawnPerson
  offer: DrawnOffer
  affiliateId: number
  externalId: string | null
  origin: 'api' | 'landing' | 'cold'
  /** The second sale that offered it. */
  cold: SecondSale | null
  status: 'received' | 'queued' | 'accepted' | 'unsold' | 'rejected' | 'duplicate' | 'ambiguous' | 'converted' | 'closed' | 'test'
  reason: string
  told: Record<string, unknown>
  sealedTold: Told
  consent: { given_at: string; recipients?: string[] }
  draw: number
  trace: { at: string; considered: Considered[]; send: string | null }[]
  attempts: number
  nextTryAt: number | null
  receivedAt: number
  decidedAt: number | null
  changedAt: number
  sends: DrawnSend[]
  /** Which part of the click id is drawn. */
  bits: number
}
export type DrawnOffer = {
  id: number
  uuid: string
  plan: LeadOfferPlan
  groups: { id: number; strategy: CascadeGroup['strategy']; leastSample: number; explore: number; turn: number; members: MemberRow[] }[]
}
export type Drawn = { sessions: DrawnSession[]; people: DrawnPerson[]; counters: Map<string, Counter>; sales: readonly SecondSale[] }
export type Counter = { owner: string; period: string; starts: number; used: number }

/** A second sale: `ago` in days, `interval` in minutes. */
export type SecondSalePlan = {
  title: string
  list: string
  ago: number
  interval: readonly [least: number, most: number]
  payout: 'none' | 'original'
  status: 'done' | 'active'
}
/** A second sale as it went until now. `slots`: when its people are to be asked. */
export type SecondSale = { plan: SecondSalePlan; startedAt: number; people: SoldAgain[]; slots: number[] }
export type SoldAgain = { source: DrawnSession; skip: SkipReason | ''; session: DrawnSession | null }
