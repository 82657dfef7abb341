import type { Permission, Role } from '#contract/access.ts'
import { can } from '#contract/access.ts'
import type { KeyScope } from '#contract/people/key-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { AppError } from '#server/platform/errors.ts'

/** Who makes a request: the account of the session, and the member of staff behind it while acting as an affiliate. */
export type Actor = {
  accountId: number
  uuid: string
  role: Role
  email: string
  name: string
  /** 0 for calls with a key, which have none. */
  sessionId: number
  token: string
  /** Set for affiliates. */
  affiliateId: number | null
  /** Set for staff. */
  managerId: number | null
  scope: Scope
  timeZone: string
  language: 'en' | 'uk'
  acting: { accountId: number; name: string; expiresAt: Date; /** Said why; until then they only look. */ mayChange: boolean } | null
  /** Set where the call was made with an API key: what of the owner's rights it has; `offerIds`: the lead API of these offers alone. */
  key: { id: number; scopes: readonly KeyScope[]; offerIds: readonly number[] } | null
  /** The role must have a second factor and the account has none: all but setting it up is refused. */
  needsSecondFactor: boolean
  /** The address is not among those the account, its role or the key is bound to: everything is refused. */
  outside: boolean
  address: string
}

/** Nobody in particular, who may see all rows: for questions the network asks by itself. Holds no session and writes nothing. */
export const NETWORK: Actor = {
  accountId: 0,
  uuid: '',
  role: 'head',
  email: '',
  name: '',
  sessionId: 0,
  token: '',
  affiliateId: null,
  managerId: null,
  scope: { kind: 'all' },
  timeZone: 'UTC',
  language: 'en',
  acting: null,
  key: null,
  needsSecondFactor: false,
  outside: false,
  address: '',
}

/** Whether the actor holds a permission: handlers ask this, never the role. */
export function may(actor: Actor, permission: Permission): boolean {
  return can(actor.role, permission)
}

/** The affiliate that asks. Throws `forbidden` for staff, whom the permission keeps away already. */
export function affiliateOf(actor: Actor): number {
  if (actor.affiliateId === null) throw new AppError('forbidden')
  return actor.affiliateId
}
