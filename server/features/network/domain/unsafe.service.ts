import { LARGEST_UNSAFE_LIST, MOST_UNSAFE_HOSTS } from '#contract/network/domain.ts'
import { hostName } from '#contract/network/host-name.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { getSetting, storeSetting } from '../setting/setting.queries.ts'
import { countUnsafe, lookSoon, replaceUnsafe, unsafeSection } from './unsafe.queries.ts'

/** The list that was imported last. */
export async function unsafeList(db: DbOrTrx) {
  const [rows, { name, imported_at, imported_by }] = await Promise.all([countUnsafe(db), getSetting(db, unsafeSection)])
  return { rows, name, imported_at, imported_by }
}

/** Replaces the list by a text, one host a line; answers how many lines were none. Throws `payload_too_large`, `invalid_input`. */
export async function importUnsafe(db: Db, now: number, actor: Actor, text: Uint8Array, name: string): Promise<number> {
  if (text.length > LARGEST_UNSAFE_LIST) throw new AppError('payload_too_large')
  const { hosts, skipped } = hostsIn(decoded(text))
  if (hosts.length > MOST_UNSAFE_HOSTS)
    throw new AppError('invalid_input', { fields: { list: `At most ${MOST_UNSAFE_HOSTS.toLocaleString('en')} hosts` } })
  if (hosts.length === 0 && skipped > 0) throw new AppError('invalid_input', { fields: { list: 'No line of this is the name of a host' } })
  await db.transaction().execute(async (trx) => {
    await lockName(trx, 'unsafe hosts')
    const before = await unsafeList(trx)
    await replaceUnsafe(trx, hosts)
    const after = { name, imported_at: new Date(now).toISOString(), imported_by: actor.email }
    await storeSetting(trx, now, unsafeSection.key, after)
    await recordAudit(trx, actor, now, {
      action: 'update',
      entity: 'setting',
      entityId: unsafeSection.key,
      before: { name: before.name, rows: before.rows },
      after: { name, rows: hosts.length },
    })
    await lookSoon(trx, now)
  })
  return skipped
}

/** Hosts of lists as they are published: one a line, also as in a hosts file (`0.0.0.0 host`), of a filter (`||host^`) or as an address; `#` and `!` begin remarks. */
function hostsIn(text: string): { hosts: string[]; skipped: number } {
  const hosts = new Set<string>()
  let skipped = 0
  for (const line of text.split(/\r\n|\n|\r/)) {
    const said = line.replace(/(^|\s)[#!].*$/, '').trim()
    if (said === '') continue
    const host = hostName(bare(said))
    if (host === null) skipped++
    else hosts.add(host)
  }
  return { hosts: [...hosts], skipped }
}

function bare(said: string): string {
  const last = said.split(/[\s,;]+/).at(/^(0\.0\.0\.0|127\.0\.0\.1|::1?)\s/.test(said) ? 1 : 0) ?? ''
  return last
    .replace(/^\|\|/, '')
    .replace(/\^.*$/, '')
    .replace(/^https?:\/\//i, '')
    .replace(/[/?].*$/, '')
    .replace(/^\*\./, '')
}

function decoded(text: Uint8Array): string {
  return new TextDecoder('utf-8').decode(text)
}
