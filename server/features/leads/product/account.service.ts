import { openSealer } from '#server/platform/seal.ts'

/** What accounts at advertisers are sealed for. */
const PURPOSE = 'product account'

/** An account at an advertiser's system by the keys of its integration. */
export type Account = Readonly<Record<string, string>>

export function sealAccount(secretKey: string | null, account: Account): Buffer {
  return openSealer(secretKey, PURPOSE).seal(JSON.stringify(account))
}

export function readAccount(secretKey: string | null, sealed: Buffer): Account {
  return JSON.parse(openSealer(secretKey, PURPOSE).open(sealed)) as Account // as it was sealed
}
