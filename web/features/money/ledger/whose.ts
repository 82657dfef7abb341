/** A partner as staff see it. */
export type Partner = { owner: 'affiliate' | 'advertiser'; uuid: string }
/** Whose money: a partner's, the network's or that of a source it pays from, or the own. */
export type Whose = Partner | { owner: 'network'; source: string | null } | null
