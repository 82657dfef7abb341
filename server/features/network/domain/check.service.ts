import { randomInt } from 'node:crypto'
import { href } from '#contract/screens.ts'
import type { DomainCheck, DomainCheckName } from '#contract/network/domain.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { tellStaff } from '#server/features/network/notification/tell.queries.ts'
import type { MailQueue } from '../mail/queue.service.ts'
import { announceDomains } from './announce.queries.ts'
import { listKeepers, takeDue } from './check.queries.ts'
import { getDomain, updateDomain, type DomainRow } from './domain.queries.ts'
import { failingOf, lookAt, provedBy, type LookParts } from './look.service.ts'
import { isUnsafe } from './unsafe.queries.ts'

export type CheckParts = LookParts & { db: Db; clock: Clock; mail: MailQueue; publicUrl: string }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const AT_ONCE = 4
/** A worker that dies during a look is followed by another one after so long. */
const LEASE_MS = 5 * MINUTE
/** What fails is looked at again soon: people are told of the second time in a row. */
const AGAIN_MS = 5 * MINUTE
const TOLD_AFTER = 2
/** Who has just added one waits for it; after a day hardly. */
const WAITING_MS = [
  { until: HOUR, every: MINUTE },
  { until: 24 * HOUR, every: 10 * MINUTE },
]

/** Looks at the domains that are due, each about once an hour; answers how many. */
export async function checkDueDomains(parts: CheckParts): Promise<number> {
  const now = parts.clock.now()
  const due = await takeDue(parts.db, now, now + LEASE_MS, AT_ONCE)
  await Promise.all(due.map(({ id }) => checkDomain(parts, null, String(id), { missing: 'ignored' })))
  return due.length
}

/** Looks at one domain and keeps what was found: verifies it, or tells admin and head that it fails. Throws `not_found`. */
export async function checkDomain(
  parts: CheckParts,
  actor: Actor | null,
  key: string,
  { missing }: { missing: 'refused' | 'ignored' } = { missing: 'refused' },
): Promise<void> {
  const { db, clock } = parts
  const domain = await getDomain(db, key)
  if (domain === undefined) {
    if (missing === 'ignored') return
    throw new AppError('not_found')
  }
  const checks = await lookAt(parts, clock.now(), domain, await isUnsafe(db, domain.host))
  await db.transaction().execute(async (trx) => {
    const now = clock.now()
    const current = await getDomain(trx, domain.uuid, true)
    if (current === undefined) return
    await keepLook(trx, parts, now, actor, current, checks)
  })
}

async function keepLook(
  trx: Trx,
  parts: CheckParts,
  now: number,
  actor: Actor | null,
  domain: DomainRow,
  checks: DomainCheck[],
): Promise<void> {
  const proof = domain.verified_at === null ? provedBy(checks) : null
  const verified = domain.verified_at !== null || proof !== null
  // nothing new uses a burnt one: that it fails is nobody's concern
  const failing = verified && domain.burnt_at === null ? failingOf(checks) : null
  const failures = failing === null ? 0 : domain.failures + 1
  const told = failing !== null && domain.told_at === null && failures >= TOLD_AFTER
  await updateDomain(trx, domain.id, {
    checks: JSON.stringify(checks),
    checked_at: new Date(now),
    next_check_at: new Date(now + pauseOf(now, domain, { verified, failures })),
    ...(proof !== null && { verified_at: new Date(now), verified_by: proof }),
    failing,
    failing_since: failing === null ? null : (domain.failing_since ?? new Date(now)),
    failures,
    told_at: told ? new Date(now) : failing === null ? null : domain.told_at,
  })
  if (proof !== null) {
    const after = { host: domain.host, verified_by: proof }
    await recordAudit(trx, actor, now, { action: 'verify', entity: 'domain', entityId: domain.id, after })
    await announceDomains(trx)
  }
  if (told) await tellFailing(trx, parts, now, domain, failing)
}

async function tellFailing(
  trx: Trx,
  { mail, publicUrl }: CheckParts,
  now: number,
  domain: DomainRow,
  check: DomainCheckName,
): Promise<void> {
  const since = (domain.failing_since ?? new Date(now)).getTime()
  const notice = { kind: 'domain_failing' as const, status: check, reason: domain.host, once: `domain ${domain.id} failing ${since}` }
  await tellStaff(trx, now, [notice], { side: 'advertiser', permission: 'setting.domains', but: null })
  const link = `${publicUrl}${href('settingsDomains')}?domain=${domain.uuid}`
  for (const { id, email, name, language } of await listKeepers(trx)) {
    const values = { name, domain: domain.host, problem: PROBLEMS[language][check], link }
    await mail.add(trx, now, { event: 'domain_failing', to: { email, language, accountId: id }, values })
  }
}

function pauseOf(now: number, domain: DomainRow, { verified, failures }: { verified: boolean; failures: number }): number {
  const age = now - domain.created_at.getTime()
  const waiting = verified ? undefined : WAITING_MS.find(({ until }) => age < until)
  if (waiting !== undefined) return spread(waiting.every)
  return failures > 0 && failures < TOLD_AFTER ? AGAIN_MS : spread(HOUR)
}

/** Give or take a tenth, so that domains added together are not looked at together for ever. */
function spread(ms: number): number {
  return Math.round(ms * (0.9 + randomInt(200) / 1000))
}

/** What is wrong, in the words of a letter. */
const PROBLEMS: Readonly<Record<'en' | 'uk', Record<DomainCheckName, string>>> = {
  en: {
    resolves: 'its name leads to no address that can be reached',
    record: 'its TXT record is not there',
    http: 'this network does not answer there over http',
    https: 'this network does not answer there over https',
    certificate: 'its certificate is not valid, or ends soon',
    unsafe: 'it stands on the imported list of unsafe hosts',
  },
  uk: {
    resolves: 'його ім’я не веде на жодну доступну адресу',
    record: 'немає його запису TXT',
    http: 'ця мережа не відповідає на ньому через http',
    https: 'ця мережа не відповідає на ньому через https',
    certificate: 'його сертифікат недійсний або скоро закінчиться',
    unsafe: 'він є в імпортованому списку небезпечних хостів',
  },
}
