/** Whose money: a partner's as staff see it, or the own. */
export type Whose = { owner: 'affiliate' | 'advertiser'; uuid: string } | null
