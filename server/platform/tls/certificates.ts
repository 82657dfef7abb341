import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { log } from '../log.ts'

/** A certificate with what stands above it, and its key, both as PEM. */
export type Certificate = { cert: string; key: string }

export type Certificates = {
  /** What a connection to a host is secured with; undefined where there is nothing for it. */
  contextFor(host: string): SecureContext | undefined
  /** Takes another set, for connections that come from now on; those that stand keep theirs. One that cannot be used is left out, and said. */
  replace(certificates: readonly Certificate[]): void
}

/** Certificates by the names they are for; `*.example.com` is for one label below it. Of two for one name the one that lasts longer counts. */
export function openCertificates(): Certificates {
  let byName = new Map<string, { context: SecureContext; until: number }>()
  return {
    contextFor(host) {
      const found = byName.get(host) ?? byName.get(`*${host.slice(host.indexOf('.'))}`)
      return found?.context
    },
    replace(certificates) {
      const next: typeof byName = new Map()
      for (const { cert, key } of certificates) {
        try {
          const leaf = new X509Certificate(cert)
          const until = Date.parse(leaf.validTo)
          const context = createSecureContext({ cert, key, minVersion: 'TLSv1.2' })
          for (const name of namesOf(leaf)) if ((next.get(name)?.until ?? 0) < until) next.set(name, { context, until })
        } catch (error) {
          log.error({ err: error }, 'a certificate cannot be used')
        }
      }
      byName = next
    },
  }
}

/** The names a certificate is for. */
export function namesOf(leaf: X509Certificate): string[] {
  return [...(leaf.subjectAltName ?? '').matchAll(/DNS:([^,\s"]+)/g)].map(([, name = '']) => name.toLowerCase())
}
