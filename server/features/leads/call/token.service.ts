import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sayCallReason } from '#contract/leads/call-reason.ts'
import type { Outcome } from '#contract/leads/integration-spec.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { getToken, leaseLogIn, settleLogIn, type TokenKey, type TokenRow } from './token.queries.ts'

/** What tokens of accounts are sealed for. */
const PURPOSE = 'product token'
/** After a log-in that failed nobody tries again for so long; twice as long after each further one. */
const REST = 30_000
const LONGEST_REST = 15 * 60_000
/** What is written after a log-in has so long, before somebody else takes it for abandoned. */
export const LOG_IN_MARGIN = 15_000
/** How often it is looked whether another process has logged in, in ms of the wall. */
const LOOK = 100
/** So long before it ends a token is not used any more, but never more than a tenth of its life. */
const EARLY = 30_000

/** Texts a step gave, by their name. */
export type Given = Readonly<Record<string, string>>
/** Why there is no token: what the lead comes to by it. */
export type NoToken = { outcome: Exclude<Outcome, 'accepted' | 'ambiguous'>; reason: string }
/** What a log-in gave, and until when, in ms. */
export type LoggedIn = { given: Given; until: number }
export type Token = { given: Given; number: number; isNew: boolean }

/** Hands out what log-ins of one account gave, and sees to it that one process at a time logs in. */
export type TokenKeeper = {
  /** `refused` = the number of the token they did not take. `logIn` is called by whoever has to, at most once. */
  take(
    step: string,
    how: { refused: number | undefined; timeoutMs: number },
    logIn: (now: number) => Promise<LoggedIn | NoToken>,
  ): Promise<Token | NoToken>
}
export type TokenOwner = { productId: number; versionId: number; host: string; credentials: Buffer }

/**
 * The tokens of a product's account. A log-in that failed is not tried again for a while, whoever asks: they answer what it came to.
 * `anew`: a person wants to see the log-in itself, now.
 */
export function openTokens(
  { db, secretKey, clock }: { db: Db; secretKey: string | null; clock: Clock },
  { host, credentials, productId, versionId }: TokenOwner,
  { anew = false }: { anew?: boolean } = {},
): TokenKeeper {
  const sealer = openSealer(secretKey, PURPOSE)
  const madeOf = createHash('sha256').update(`${host}\n`).update(credentials).digest()
  const here = underWay(db)
  return {
    async take(step, { refused, timeoutMs }, logIn) {
      const key = { productId, versionId, step }
      const name = `${productId} ${versionId} ${step}`
      for (const giveUp = performance.now() + timeoutMs + LOG_IN_MARGIN; ;) {
        const now = clock.now()
        const seen = await getToken(db, key)
        const own = seen?.made_of?.equals(madeOf) === true ? seen : undefined
        if (!anew && own !== undefined) {
          if (isGood(own, now) && own.number !== refused)
            return { given: JSON.parse(sealer.open(own.sealed)) as Given, number: own.number, isNew: false } // as it was sealed
          const failed = failedLately(own, now)
          if (failed !== null) return failed
        }
        const other = here.get(name)
        if (other !== undefined) await other
        else if (
          await leaseLogIn(db, key, { number: seen?.number ?? 0, now: new Date(now), until: new Date(now + timeoutMs + LOG_IN_MARGIN) })
        ) {
          const mine = logInOnce({ db, key, clock, sealer, madeOf }, seen, { refused, keep: anew }, logIn)
          const over = mine.then(noop, noop)
          here.set(name, over)
          void over.then(() => here.delete(name))
          return mine
        } else await setTimeout(LOOK)
        if (performance.now() > giveUp) return { outcome: 'temporary', reason: sayCallReason('log_in') }
      }
    },
  }
}

type Circumstances = { db: Db; key: TokenKey; clock: Clock; sealer: ReturnType<typeof openSealer>; madeOf: Buffer }

/** Logs in and keeps what it came to. `keep`: a token that is still good stays one, should this log-in fail. */
async function logInOnce(
  { db, key, clock, sealer, madeOf }: Circumstances,
  seen: TokenRow | undefined,
  { refused, keep }: { refused: number | undefined; keep: boolean },
  logIn: (now: number) => Promise<LoggedIn | NoToken>,
): Promise<Token | NoToken> {
  const number = seen?.number ?? 0
  const own = seen?.made_of?.equals(madeOf) === true ? seen : undefined
  const said = await logIn(clock.now())
  const now = clock.now()
  if ('outcome' in said) {
    const failures = (own?.failures ?? 0) + 1
    const stays = keep && own !== undefined && isGood(own, now) && own.number !== refused
    await settleLogIn(db, key, number, {
      made_of: madeOf,
      ...(!stays && { sealed: null, expires_at: null }),
      failures,
      outcome: said.outcome,
      reason: said.reason.slice(0, 500),
      retry_at: new Date(now + Math.min(REST * 2 ** Math.min(failures - 1, 10), LONGEST_REST)),
    })
    return said
  }
  await settleLogIn(db, key, number, {
    made_of: madeOf,
    sealed: sealer.seal(JSON.stringify(said.given)),
    expires_at: new Date(said.until - Math.min(EARLY, Math.max(0, said.until - now) / 10)),
    failures: 0,
    outcome: null,
    reason: '',
    retry_at: null,
  })
  return { given: said.given, number: number + 1, isNew: true }
}

function isGood(row: TokenRow, now: number): row is TokenRow & { sealed: Buffer } {
  return row.sealed !== null && row.expires_at !== null && row.expires_at.getTime() > now
}

function failedLately({ retry_at, outcome, reason }: TokenRow, now: number): NoToken | null {
  if (retry_at === null || outcome === null || retry_at.getTime() <= now) return null
  return { outcome, reason: `${reason} (tried again after ${retry_at.toISOString().slice(11, 19)} UTC)` }
}

/** Log-ins of this process: who waits for one of them asks the database no further. */
const logIns = new WeakMap<Db, Map<string, Promise<void>>>()

function underWay(db: Db): Map<string, Promise<void>> {
  const known = logIns.get(db) ?? new Map<string, Promise<void>>()
  logIns.set(db, known)
  return known
}

function noop(): void {}
