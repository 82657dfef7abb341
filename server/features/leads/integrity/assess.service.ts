import type { IntegritySettings } from '#contract/leads/integrity.ts'
import type { LeadInput } from '#contract/leads/lead.ts'
import { lineOf, readableAddress } from '#server/platform/address.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { lockNames } from '#server/platform/pg/lock.ts'
import { listedValues } from '#server/rules/lead/integrity/blacklist.ts'
import { judgeLead, type Judged } from '#server/rules/lead/integrity/judge.ts'
import { settingsOf } from '#server/rules/lead/integrity/settings.ts'
import type { LeadSnapshot } from '#server/rules/lead/integrity/snapshot.ts'
import type { LeadVault } from '../session/vault.ts'
import type { FindAddress } from './address-facts.ts'
import { countRecent, listBefore, listListed, type Hashes } from './integrity.queries.ts'

const DAY = 86_400_000
const MINUTE = 60_000

/** What is looked at, of a lead whose contacts are as they are compared. */
export type ToAssess = {
  offerId: number
  affiliateId: number
  integrity: Partial<IntegritySettings>
  input: LeadInput
  phone: string
  email: string
}
export type Assessed = Judged & Pick<Hashes, 'ip' | 'device'>

/**
 * What the checks of its offer say of a lead. With `locks`, in the transaction that keeps it: of two at once of one telephone, address
 * or device the second waits for the first, and counts it.
 */
export async function assessLead(
  db: DbOrTrx,
  { vault, findAddress, locks }: { vault: LeadVault; findAddress: FindAddress; locks: boolean },
  now: number,
  lead: ToAssess,
): Promise<Assessed> {
  const settings = settingsOf(lead.integrity)
  const { input, phone, email } = lead
  const ip = input.ip ?? ''
  const userAgent = input.user_agent ?? ''
  const hashes: Hashes = {
    phone: phone === '' ? null : vault.hash('phone', phone),
    email: email === '' ? null : vault.hash('email', email),
    ip: ip === '' ? null : vault.hash('ip', lineOf(ip)),
    device: ip === '' || userAgent === '' ? null : vault.hash('device', `${readableAddress(ip, true)} ${userAgent}`),
  }
  if (locks) await lockNames(db, namesOf(settings, hashes, lead))
  const address = ip === '' ? null : findAddress(ip)
  const snapshot: LeadSnapshot = {
    country: input.country ?? '',
    phone,
    email,
    ip,
    userAgent,
    address,
    before: settings.duplicate.action === 'off' ? null : await beforeOf(db, settings.duplicate, hashes, now, lead),
    recent: settings.velocity.action === 'off' ? { ip: 0, device: 0, affiliate: 0 } : await recentOf(db, settings, hashes, now, lead),
    listed: settings.blacklist.action === 'off' ? [] : await listedOf(db, vault, now, lead, ip),
  }
  return { ...judgeLead(snapshot, settings, now), ip: hashes.ip, device: hashes.device }
}

/** What leads at once may have in common, as far as it is counted; who only flags does not let them wait for each other. */
function namesOf({ duplicate, velocity }: IntegritySettings, hashes: Hashes, { affiliateId, offerId }: ToAssess): string[] {
  const name = (kind: keyof Hashes) => (hashes[kind] === null ? [] : [`lead ${kind} ${hashes[kind].toString('hex')}`])
  const counts = velocity.action === 'hold' || velocity.action === 'reject'
  return [
    ...(duplicate.action === 'off' ? [] : [...name('phone'), ...name('email')]),
    ...(counts && velocity.per_ip !== null ? name('ip') : []),
    ...(counts && velocity.per_device !== null ? name('device') : []),
    ...(counts && velocity.per_affiliate !== null ? [`lead affiliate ${affiliateId} ${offerId}`] : []),
  ]
}

async function beforeOf(
  db: DbOrTrx,
  { days, within, most }: IntegritySettings['duplicate'],
  hashes: Hashes,
  now: number,
  { offerId, affiliateId }: ToAssess,
): Promise<LeadSnapshot['before']> {
  const rows = await listBefore(db, hashes, { offerId, within, since: new Date(now - days * DAY), most })
  const [last] = rows
  if (last === undefined) return null
  return {
    count: rows.length,
    by: rows.some(({ by_phone }) => by_phone) ? 'phone' : 'email',
    lastAt: last.received_at.getTime(),
    sameAffiliate: rows.every(({ affiliate_id }) => affiliate_id === affiliateId),
  }
}

function recentOf(db: DbOrTrx, { velocity }: IntegritySettings, hashes: Hashes, now: number, { affiliateId, offerId }: ToAssess) {
  const since = new Date(now - velocity.minutes * MINUTE)
  const most = { ip: velocity.per_ip ?? 0, device: velocity.per_device ?? 0, affiliate: velocity.per_affiliate ?? 0 }
  return countRecent(db, hashes, { affiliateId, offerId, since }, most)
}

async function listedOf(db: DbOrTrx, vault: LeadVault, now: number, { input, phone, email }: ToAssess, ip: string) {
  const values = listedValues({ email, phone, firstName: input.first_name ?? '', lastName: input.last_name ?? '' })
  const hashed = values.map(({ kind, canonical }) => ({ kind, hash: vault.hash(`blacklist ${kind}`, canonical) }))
  const fields: Readonly<Record<string, string>> = { ip: 'ip', ...Object.fromEntries(values.map(({ kind, field }) => [kind, field])) }
  const found = await listListed(db, hashed, ip, new Date(now))
  return found.map(({ uuid, kind }) => ({ kind, entry: uuid, field: fields[kind] ?? '' }))
}
