import { can, type Role } from '#contract/access.ts'
import { changesSomething, type Endpoint } from '#contract/endpoint.ts'
import { KEY_SCOPES, type KeyScope } from '#contract/people/key-scope.ts'
import { AppError } from '#server/platform/errors.ts'
import { API, roomOf } from './api.ts'

type KeyRights = { scopes: readonly KeyScope[]; offerIds: readonly number[] }

/** Refuses what a call with such a key may not do, whatever its owner may. Throws `key_never`, `key_scope`, `key_offers`. */
export function refuseByKey({ scopes, offerIds }: KeyRights, endpoint: Endpoint): void {
  if (endpoint.access === 'public' || endpoint.key === 'always') return
  const needed = scopeOf(endpoint)
  if (endpoint.key === 'never' || needed === undefined) throw new AppError('key_never')
  if (!scopes.includes(needed) && !(needed.endsWith('.read') && scopes.includes(writing(needed)))) throw new AppError('key_scope')
  // which offers a lead is of is asked where leads are
  if (offerIds.length > 0 && endpoint.access !== 'lead.own') throw new AppError('key_offers')
}

/** The scopes a key of somebody in a role can make use of. */
export function scopesFor(role: Role): KeyScope[] {
  const useful = new Set(
    Object.values(API)
      .flatMap((group) => Object.values<Endpoint>(group))
      .filter(({ access, key }) => access !== 'public' && key === undefined && can(role, access))
      .map(scopeOf),
  )
  return KEY_SCOPES.filter((scope) => useful.has(scope))
}

function scopeOf(endpoint: Endpoint): KeyScope | undefined {
  const room = roomOf(endpoint)
  return room && `${room}.${changesSomething(endpoint) ? 'write' : 'read'}`
}

/** Who may change a room reads it too. */
function writing(scope: KeyScope): KeyScope {
  return scope.replace('.read', '.write') as KeyScope // of the same room
}
