import { X509Certificate } from 'node:crypto'
import type { Config } from '#server/platform/config.ts'
import { log } from '#server/platform/log.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { openSealer, type Sealer } from '#server/platform/seal.ts'
import { createAcmeAccount, orderCertificate, type AcmeAccount } from '#server/platform/tls/acme.ts'
import { wantedHosts } from './front.service.ts'
import {
  claimDue,
  dropAccount,
  dropChallenges,
  dropEnded,
  findAccount,
  keepAccount,
  noteHosts,
  putChallenge,
  settle,
} from './certificate.queries.ts'

const MINUTE = 60_000
/** So long a try is nobody else's; a process that dies in the middle costs no more than this, and never more than four tries an hour. */
const LEASE_MS = 15 * MINUTE
const LONGEST_PAUSE_MS = 24 * 60 * MINUTE
const CHALLENGE_MS = 30 * MINUTE

export type IssueParts = {
  db: Db
  config: Pick<Config, 'secretKey' | 'publicUrl' | 'trackingUrl' | 'tls'>
  /** 0 to 1: names that were got together are not renewed together. */
  random?: () => number
}

/**
 * Gets the certificate that has been due longest, if one is; answers how many it tried. Authorities count failures: after each the pause
 * doubles, from a quarter of an hour to a day, so that a name fails at most three times in an hour.
 */
export async function getDueCertificate({ db, config, random = Math.random }: IssueParts, now: number): Promise<number> {
  if (config.tls.mode !== 'acme') return 0
  const wanted = await wantedHosts(db, config)
  await noteHosts(db, wanted, now)
  await dropEnded(db, wanted, now)
  const due = await claimDue(db, wanted, now, now + LEASE_MS)
  if (due === undefined) return 0
  const { host, failures } = due
  const sealer = certificateSealer(config.secretKey)
  const directory = config.tls.acmeUrl
  try {
    const account = await accountAt(db, sealer, directory, config.tls.acmeEmail, now)
    const { chain, key } = await orderCertificate(directory, account, host, {
      put: (token, answer) => putChallenge(db, token, answer, now + CHALLENGE_MS),
      drop: (token) => dropChallenges(db, token, now),
    })
    const leaf = new X509Certificate(chain)
    const until = Date.parse(leaf.validTo)
    await settle(db, host, now, {
      chain,
      sealed: sealer.seal(key),
      issued_at: new Date(now),
      expires_at: new Date(until),
      due_at: new Date(renewAt(now, until, random())),
      failures: 0,
      error: '',
    })
    log.info({ host, until: leaf.validTo }, 'a certificate was got')
  } catch (error) {
    const said = (error instanceof Error ? error.message : String(error)).slice(0, 500)
    const pause = Math.min(LEASE_MS * 2 ** Math.min(failures, 20), LONGEST_PAUSE_MS)
    await settle(db, host, now, { failures: failures + 1, error: said, due_at: new Date(now + pause) })
    log.warn({ host, said, minutes: pause / MINUTE }, 'a certificate could not be got; it is tried again')
  }
  return 1
}

/** At two thirds of its life, a twentieth of it sooner or later. */
export function renewAt(from: number, until: number, random: number): number {
  const life = until - from
  return Math.round(from + (life * 2) / 3 + (random - 0.5) * 0.1 * life)
}

/** What seals the keys of certificates and accounts. */
export function certificateSealer(secretKey: string | null): Sealer {
  return openSealer(secretKey, 'certificate')
}

async function accountAt(db: Db, sealer: Sealer, directory: string, email: string | null, now: number): Promise<AcmeAccount> {
  return (
    (await openAccount(db, sealer, directory)) ??
    db.transaction().execute(async (trx) => {
      // of workers that look at the same moment one makes it
      await lockName(trx, 'acme account')
      const opened = await openAccount(trx, sealer, directory)
      if (opened !== null) return opened
      const made = await createAcmeAccount(directory, email)
      await keepAccount(trx, { directory, url: made.url, sealed: sealer.seal(made.key), created_at: new Date(now) })
      return made
    })
  )
}

/** null where there is none, or it was sealed by a key that is gone: then another is made. */
async function openAccount(db: DbOrTrx, sealer: Sealer, directory: string): Promise<AcmeAccount | null> {
  const kept = await findAccount(db, directory)
  if (kept === undefined) return null
  try {
    return { key: sealer.open(kept.sealed), url: kept.url }
  } catch {
    await dropAccount(db, directory)
    return null
  }
}
