/**
 * Which rows somebody may see: everything, those of the managers named (oneself, or a team lead's team), or the own
 * affiliate's. Every query that reads rows of partners takes it as its first argument; outside of it a row does not exist.
 */
export type Scope = { kind: 'all' } | { kind: 'managers'; managerIds: number[] } | { kind: 'affiliate'; affiliateId: number }
