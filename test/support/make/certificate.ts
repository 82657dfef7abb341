import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const DAY = 86_400_000
const ALTERNATIVE_NAMES = '2.5.29.17'
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
cryptoProvider.set(webcrypto)

/** What signs certificates in tests. */
export type Authority = {
  /** Its own certificate, PEM. */
  ca: string
  /** The certificate a request (DER) asks for, for its names, PEM. */
  sign(request: Uint8Array, days: number): Promise<string>
}

/** A small authority with a key of its own. */
export async function makeAuthority(): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const own = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test-CA',
    keys,
    signingAlgorithm: EC,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
    ...lasting(30),
  })
  return {
    ca: own.toString('pem'),
    async sign(request, days) {
      const asked = new Pkcs10CertificateRequest(request)
      const names = asked.getExtension(ALTERNATIVE_NAMES)
      const signed = await X509CertificateGenerator.create({
        subject: asked.subject,
        issuer: own.subject,
        publicKey: asked.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: EC,
        extensions: names === null ? [] : [names],
        ...lasting(days),
      })
      return signed.toString('pem')
    },
  }
}

/** A key and a certificate for one name, signed by itself, PEM. */
export async function makeCertificate(host: string): Promise<{ key: string; cert: string }> {
  const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const extensions = [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])]
  const own = await X509CertificateGenerator.createSelfSigned({ name: `CN=${host}`, keys, signingAlgorithm: EC, extensions, ...lasting(2) })
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${bytes.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`,
    cert: own.toString('pem'),
  }
}

function lasting(days: number) {
  return { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + days * DAY) }
}
