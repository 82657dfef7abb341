import type { FrontState } from '#contract/network/front.ts'
import type { Config } from '#server/platform/config.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { listCertificates, listHosts } from './certificate.queries.ts'

/** The names this instance gets certificates for: those of the configuration, and the network's verified ones that are not somebody else's matter. */
export async function wantedHosts(db: Db, { publicUrl, trackingUrl }: Pick<Config, 'publicUrl' | 'trackingUrl'>): Promise<string[]> {
  const configured = [publicUrl, trackingUrl].filter((url) => url.startsWith('https:')).map((url) => new URL(url).hostname)
  const added = (await listHosts(db)).filter(({ certificate }) => certificate === 'acme').map(({ host }) => host)
  return [...new Set([...configured, ...added])].filter(mayHaveOne)
}

/** What the doors of this instance have to know. A key that cannot be opened is left out: its certificate is got anew. */
export async function readFront(db: Db, config: Pick<Config, 'secretKey'>): Promise<FrontState> {
  const [hosts, certificates] = await Promise.all([listHosts(db), listCertificates(db)])
  const of = (kind: string) => hosts.filter((one) => one.kind === kind).map(({ host }) => host)
  const sealer = openSealer(config.secretKey, 'certificate')
  return {
    panel: of('panel'),
    tracking: of('tracking'),
    certificates: certificates.flatMap(({ host, chain, sealed }) => {
      try {
        return [{ cert: chain, key: sealer.open(sealed) }]
      } catch {
        log.error({ host }, 'the key of a certificate was sealed by another SECRET_KEY')
        return []
      }
    }),
  }
}

/** Authorities name no addresses and nothing without a dot. */
function mayHaveOne(host: string): boolean {
  return host.includes('.') && !/^[\d.]+$|[[\]:]/.test(host)
}
