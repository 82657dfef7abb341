import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'

/** Staff who act as an affiliate see its area, not its password, second factor and sessions. Throws `forbidden`. */
export function ownOnly(actor: Actor): Actor {
  if (actor.acting !== null) throw new AppError('forbidden')
  return actor
}
