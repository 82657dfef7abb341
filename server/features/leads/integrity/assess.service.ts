import type { IntegritySettings } from '#contract/leads/integrity.ts'
import type { LeadInput } from '#contract/leads/lead.ts'
import { lineOf, readableAddress } from '#server/platform/address.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { listedValues } from '#server/rules/lead/integrity/blacklist.ts'
import { judgeLead, type Judged } from '#server/rules/lead/integrity/judge.ts'
import { settingsOf } from '#server/rules/lead/integrity/settings.ts'
import type { LeadSnapshot } from '#server/rules/lead/integrity/snapshot.ts'
import { personNames, sharedName } from '#server/features/leads/session/person-names.ts'
import type { LeadVault } from '../session/vault.ts'
import type { FindAddress } from './address-facts.ts'
import { lookAround, type Around, type Hashes } from './integrity.queries.ts'

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
  hashes: Hashes
  /** It is counted by none that follow it. */
  test: boolean
}
export type Assessed = Judged & Pick<Hashes, 'ip' | 'device'>

/**
 * What the checks of their offers say of leads, in their order; each counts those before it. In the transaction that keeps them the
 * caller holds the locks of `namesOf`: of two at once of one telephone, address or device the second waits for the first.
 */
export async function assessLeads(
  db: DbOrTrx,
  { vault, findAddress }: { vault: LeadVault; findAddress: FindAddress },
  now: number,
  leads: readonly ToAssess[],
): Promise<Assessed[]> {
  const asked = leads.map((lead) => ({ lead, settings: settingsOf(lead.integrity), listed: listedOf(vault, lead) }))
  const found = await lookAround(
    db,
    asked.map(({ lead, settings, listed }) => aroundOf(lead, settings, listed, now)),
    new Date(now),
  )
  const earlier = new Map<string, number>()
  return asked.map(({ lead, settings, listed }, place) => {
    const { input, phone, email, hashes, affiliateId } = lead
    const { before = [], recent, listed: entries = [] } = found[place] ?? {}
    const count = (kind: keyof Counted) => {
      const name = countedBy(kind, lead)
      return name === null ? 0 : Math.min((recent?.[kind] ?? 0) + (earlier.get(name) ?? 0), mostOf(settings)[kind])
    }
    const [last] = before
    const snapshot: LeadSnapshot = {
      country: input.country ?? '',
      phone,
      email,
      ip: input.ip ?? '',
      userAgent: input.user_agent ?? '',
      address: hashes.ip === null ? null : findAddress(input.ip ?? ''),
      before:
        last === undefined
          ? null
          : {
              count: before.length,
              by: before.some(({ by_phone }) => by_phone) ? 'phone' : 'email',
              lastAt: last.received_at,
              sameAffiliate: before.every(({ affiliate_id }) => affiliate_id === affiliateId),
            },
      recent: { ip: count('ip'), device: count('device'), affiliate: count('affiliate') },
      listed: entries.map(({ uuid, kind }) => ({ kind, entry: uuid, field: listed.fields[kind] ?? '' })),
    }
    if (!lead.test)
      for (const kind of COUNTED) {
        const name = countedBy(kind, lead)
        if (name !== null) earlier.set(name, (earlier.get(name) ?? 0) + 1)
      }
    return { ...judgeLead(snapshot, settings, now), ip: hashes.ip, device: hashes.device }
  })
}

/** What leads are compared and counted by. */
export function hashesOf(vault: LeadVault, { phone, email, input }: Pick<ToAssess, 'phone' | 'email' | 'input'>): Hashes {
  const ip = input.ip ?? ''
  const userAgent = input.user_agent ?? ''
  return {
    phone: phone === '' ? null : vault.hash('phone', phone),
    email: email === '' ? null : vault.hash('email', email),
    ip: ip === '' ? null : vault.hash('ip', lineOf(ip)),
    device: ip === '' || userAgent === '' ? null : vault.hash('device', `${readableAddress(ip, true)} ${userAgent}`),
  }
}

/** What leads at once may have in common, as far as it is counted; who only flags does not let them wait for each other. */
export function namesOf({ integrity, hashes, affiliateId, offerId }: ToAssess): string[] {
  const { duplicate, velocity } = settingsOf(integrity)
  const counts = velocity.action === 'hold' || velocity.action === 'reject'
  return [
    ...(duplicate.action === 'off' ? [] : personNames({ phone_hash: hashes.phone, email_hash: hashes.email })),
    ...(counts && velocity.per_ip !== null ? sharedName('lead ip', hashes.ip) : []),
    ...(counts && velocity.per_device !== null ? sharedName('lead device', hashes.device) : []),
    ...(counts && velocity.per_affiliate !== null ? [`lead affiliate ${affiliateId} ${offerId}`] : []),
  ]
}

type Counted = LeadSnapshot['recent']
const COUNTED = ['ip', 'device', 'affiliate'] as const

/** What leads of one address, device or affiliate have in common; null = it has none. */
function countedBy(kind: keyof Counted, { hashes, affiliateId, offerId }: ToAssess): string | null {
  if (kind === 'affiliate') return `affiliate ${affiliateId} ${offerId}`
  const hash = hashes[kind]
  return hash === null ? null : `${kind} ${hash.toString('hex')}`
}

/** How far it is counted. */
function mostOf({ velocity: { action, per_ip, per_device, per_affiliate } }: IntegritySettings): Counted {
  const most = (limit: number | null) => (action === 'off' ? 0 : (limit ?? 0))
  return { ip: most(per_ip), device: most(per_device), affiliate: most(per_affiliate) }
}

function aroundOf({ hashes, offerId, affiliateId, input }: ToAssess, settings: IntegritySettings, { hashed }: Listed, now: number): Around {
  const { duplicate, velocity, blacklist } = settings
  const looks = blacklist.action !== 'off'
  const ip = input.ip ?? ''
  return {
    hashes,
    offerId,
    affiliateId,
    before: {
      within: duplicate.within,
      since: new Date(now - duplicate.days * DAY),
      most: duplicate.action === 'off' ? 0 : duplicate.most,
    },
    recent: { since: new Date(now - velocity.minutes * MINUTE), ...mostOf(settings) },
    listed: looks ? hashed : [],
    ip: looks && ip !== '' ? ip : null,
  }
}

type Listed = { hashed: { kind: string; hash: Buffer }[]; fields: Readonly<Record<string, string>> }

/** What of a lead may stand on the blacklist, and the field each kind of it is told by. */
function listedOf(vault: LeadVault, { input, phone, email }: ToAssess): Listed {
  const values = listedValues({ email, phone, firstName: input.first_name ?? '', lastName: input.last_name ?? '' })
  return {
    hashed: values.map(({ kind, canonical }) => ({ kind, hash: vault.hash(`blacklist ${kind}`, canonical) })),
    fields: { ip: 'ip', ...Object.fromEntries(values.map(({ kind, field }) => [kind, field])) },
  }
}
