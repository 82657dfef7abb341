import { z } from 'zod'
import { AppError } from '#server/platform/errors.ts'
import { openSealer } from '#server/platform/seal.ts'
import { hashToken } from '#server/platform/secret.ts'

/** So long somebody may look for their telephone. */
const STEP_LIFE = 5 * 60_000

const step = z.object({ account: z.int(), at: z.number(), password: z.string() })

/** What stands between the right password and the code: no session, and good for nothing but the second step. */
export type Steps = {
  /** A token for an account whose password was right. */
  begin(now: number, account: { id: number; password_hash: string | null }): string
  /** Whose it is, and what its password has to be still. Throws `step_expired`. */
  read(now: number, token: string): { accountId: number; isPassword: (hash: string | null) => boolean }
}

/** Nothing is stored of it: it is sealed, lasts five minutes, and a code that was taken once lets nobody in again. */
export function openSteps(secretKey: string | null): Steps {
  const sealer = () => openSealer(secretKey, 'second step of a sign-in')
  return {
    begin: (now, { id, password_hash }) =>
      sealer()
        .seal(JSON.stringify({ account: id, at: now, password: markOf(password_hash) }))
        .toString('base64url'),
    read(now, token) {
      const { account, at, password } = read(() => sealer().open(Buffer.from(token, 'base64url')))
      if (now - at > STEP_LIFE) throw new AppError('step_expired')
      return { accountId: account, isPassword: (hash) => markOf(hash) === password }
    },
  }
}

function read(open: () => string) {
  try {
    return step.parse(JSON.parse(open()))
  } catch {
    throw new AppError('step_expired')
  }
}

/** Tells one password from another, and nothing of either. */
function markOf(hash: string | null): string {
  return hashToken(hash ?? '').toString('base64url')
}
