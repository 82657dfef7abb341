import { LEAD_OFFERS, type Seller } from '../leads/offers.ts'

/** Where a system nobody has described yet can be tried: it speaks as `answerPlainly` says. */
export const OPEN_HOST = 'mock.example'

/** Every product of the demo network by the host it is called at. */
export const SELLERS: ReadonlyMap<string, Seller> = new Map(
  LEAD_OFFERS.flatMap(({ groups }) => groups.flatMap(({ sellers }) => sellers.map((seller) => [new URL(seller.host).hostname, seller]))),
)

/** Names that exist nowhere, at which the mock advertisers answer. */
export const DEMO_HOSTS: ReadonlySet<string> = new Set([OPEN_HOST, ...SELLERS.keys()])
