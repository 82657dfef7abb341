import { resolveTxt as systemTxt } from 'node:dns/promises'
import { DOMAIN_CHECKS, type DomainCheck, type DomainCheckName, type DomainFinding, type DomainKind } from '#contract/network/domain.ts'
import type { Config } from '#server/platform/config.ts'
import { instanceMark, MARK_PATH } from '#server/platform/instance-mark.ts'
import { isPublicAddress } from '#server/platform/outbound/address.ts'
import { lookAtCertificate } from '#server/platform/outbound/certificate.ts'
import { sendOutbound, type OutboundError } from '#server/platform/outbound/send.ts'
import { readTarget, systemResolve, type OutboundPolicy } from '#server/platform/outbound/target.ts'
import { within } from '#server/platform/within.ts'
import { plainLine } from '#server/rules/plain-line.ts'
import { addressOf, isSecure } from './address.service.ts'

export type LookParts = { policy: OutboundPolicy; config: Pick<Config, 'secretKey' | 'domainAddress'> }
export type LookedAt = {
  host: string
  kind: DomainKind
  token: string
  certificate: 'acme' | 'proxy'
  certificate_issued_at: Date | null
  verified_at: Date | null
}

const DAY = 86_400_000
const TIMEOUT_MS = 8_000
const REDIRECTS = 3
/** A certificate that ends sooner is told of: whoever renews it should have by now. */
const ENDS_SOON_DAYS = 7
/** So long a certificate of ours may take to come. */
const CERTIFICATE_GRACE_MS = DAY
const MOST_FOUND = 8

/** The TXT record that shows whose a domain is. */
export function recordOf({ host, token }: { host: string; token: string }): { name: string; value: string } {
  return { name: `_ohma.${host}`, value: `ohma-verification=${token}` }
}

/** Looks at everything there is to see of a domain, without changing anything. `unsafe`: null = no list was imported. */
export async function lookAt(parts: LookParts, now: number, domain: LookedAt, unsafe: boolean | null): Promise<DomainCheck[]> {
  const secure = isSecure(parts.config, domain.kind)
  const [resolves, record, http, https, certificate] = await Promise.all([
    resolving(parts, domain),
    txtRecord(parts, domain),
    answering(parts, domain, 'http'),
    answering(parts, domain, 'https'),
    secure ? certified(parts, now, domain) : fine('certificate', 'not_needed', null),
  ])
  const list = unsafe === null ? fine('unsafe', 'no_list', null) : unsafe ? wrong('unsafe', 'listed') : fine('unsafe', 'fine')
  return inOrder([resolves, record, secure && http.ok === false ? { ...http, ok: null } : http, https, certificate, list], now, domain)
}

/** What shows that a domain is the network's: its record, or that we answer there. */
export function provedBy(checks: readonly DomainCheck[]): 'dns' | 'file' | null {
  if (checks.some(({ check, finding }) => check === 'record' && finding === 'fine')) return 'dns'
  return checks.some(({ check, finding }) => (check === 'http' || check === 'https') && finding === 'fine') ? 'file' : null
}

/** The first check that fails of a verified domain; its record may go once it is verified. */
export function failingOf(checks: readonly DomainCheck[]): DomainCheckName | null {
  return checks.find(({ check, ok }) => ok === false && check !== 'record')?.check ?? null
}

async function resolving({ policy, config }: LookParts, { host, kind }: LookedAt): Promise<DomainCheck> {
  const target = readTarget(`${addressOf(config, kind, host)}/`, policy)
  try {
    const found = await within(TIMEOUT_MS, (policy.resolve ?? systemResolve)(host))
    const addresses = found.map(({ address }) => address).slice(0, MOST_FOUND)
    if (addresses.length === 0) return wrong('resolves', 'nothing')
    const open = typeof target !== 'string' && (target.allowed || addresses.every(isPublicAddress))
    return open ? fine('resolves', 'fine', true, addresses) : wrong('resolves', 'private_address', addresses)
  } catch (error) {
    return wrong('resolves', missing(error) ? 'nothing' : 'no_answer')
  }
}

async function txtRecord({ policy }: LookParts, domain: LookedAt): Promise<DomainCheck> {
  const { name, value } = recordOf(domain)
  try {
    const found = (await within(TIMEOUT_MS, (policy.resolveTxt ?? systemTxt)(name))).map((parts) => parts.join(''))
    if (found.includes(value)) return fine('record', 'fine', true, [value])
    return found.length === 0 ? wrong('record', 'nothing') : wrong('record', 'other', found.slice(0, MOST_FOUND).map(shortened))
  } catch (error) {
    return wrong('record', missing(error) ? 'nothing' : 'no_answer')
  }
}

/** Whether this network answers under the name, over one of the two. */
async function answering({ policy, config }: LookParts, { host, kind }: LookedAt, check: 'http' | 'https'): Promise<DomainCheck> {
  const secure = isSecure(config, kind)
  if (check === 'https' && !secure) return fine('https', 'not_needed', null)
  // links say the port; https is answered on 80 too, by a redirect or for the certificate
  const address = check === 'http' && secure ? `http://${host}` : addressOf(config, kind, host)
  const { status, error, body } = await sendOutbound(
    {
      url: `${address}${MARK_PATH}`,
      method: 'GET',
      timeoutMs: TIMEOUT_MS,
      redirects: REDIRECTS,
      headers: { 'user-agent': 'Ohma-Domain-Check/1' },
    },
    policy,
  )
  if (error !== '') return wrong(check, findingOf(error))
  const mark = instanceMark(config.secretKey)
  if (mark !== '' && body.trim() === mark) return fine(check, 'fine')
  return wrong(check, 'other', [`HTTP ${status ?? 0}`, ...(body.trim() === '' ? [] : [shortened(body)])])
}

async function certified({ policy, config }: LookParts, now: number, { host, kind }: LookedAt): Promise<DomainCheck> {
  const { port } = new URL(addressOf(config, kind, host))
  const seen = await lookAtCertificate(host, port === '' ? 443 : Number(port), { timeoutMs: TIMEOUT_MS, policy })
  if (typeof seen === 'string') return wrong('certificate', findingOf(seen))
  const days = Math.floor((seen.validTo - now) / DAY)
  const told = (found: DomainCheck): DomainCheck => ({ ...found, days })
  if (days < 0) return told(wrong('certificate', 'expired', seen.names))
  if (seen.problem === 'ERR_TLS_CERT_ALTNAME_INVALID') return told(wrong('certificate', 'other_name', seen.names))
  if (seen.problem !== '') return told(wrong('certificate', 'untrusted', [...seen.names, seen.problem]))
  return told(days < ENDS_SOON_DAYS ? wrong('certificate', 'ends_soon', seen.names) : fine('certificate', 'fine', true, seen.names))
}

/** In the order they are shown; what waits for a certificate of ours is nobody's mistake for a day. */
function inOrder(checks: DomainCheck[], now: number, domain: LookedAt): DomainCheck[] {
  const since = domain.verified_at?.getTime() ?? now
  const waits = domain.certificate === 'acme' && domain.certificate_issued_at === null && now - since < CERTIFICATE_GRACE_MS
  return DOMAIN_CHECKS.flatMap((name) => {
    const found = checks.find(({ check }) => check === name)
    if (found === undefined) return []
    const excused = waits && found.ok === false && (name === 'https' || name === 'certificate')
    return excused ? { ...found, ok: null, finding: 'waiting' as const } : found
  })
}

function findingOf(error: OutboundError): DomainFinding {
  if (error === 'host_not_found') return 'nothing'
  return error === 'refused_target' ? 'private_address' : error
}

function fine(check: DomainCheckName, finding: DomainFinding, ok: boolean | null = true, found: string[] = []): DomainCheck {
  return { check, ok, finding, found, days: null }
}

function wrong(check: DomainCheckName, finding: DomainFinding, found: string[] = []): DomainCheck {
  return { check, ok: false, finding, found, days: null }
}

/** What others wrote, as one short line. */
function shortened(text: string): string {
  return plainLine(text).slice(0, 120)
}

function missing(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA', 'ENONAME'].includes((error as { code?: string }).code ?? '') // Node's errors carry one
}
