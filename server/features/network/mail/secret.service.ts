import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { log } from '#server/platform/log.ts'
import { openSealer } from '#server/platform/seal.ts'
import type { readSecrets } from './smtp.queries.ts'
import type { Dkim } from './transport.service.ts'

type Sealed = Awaited<ReturnType<typeof readSecrets>>

/** What the secrets of the mail server are sealed for. */
export function smtpSealer(secretKey: string | null) {
  return openSealer(secretKey, 'smtp')
}

/** The secrets in clear, for handing a message over. What was sealed with another key counts as not set. */
export function openSmtpSecrets(
  secretKey: string | null,
  secrets: Sealed,
  { dkim_domain, dkim_selector }: { dkim_domain: string; dkim_selector: string },
): { password: string | null; dkim: Dkim | null } {
  const key = unsealed(secretKey, secrets.dkim_key?.sealed)
  const signs = key !== null && dkim_domain !== '' && dkim_selector !== ''
  return {
    password: unsealed(secretKey, secrets.password?.sealed),
    dkim: signs ? { domain: dkim_domain, selector: dkim_selector, key } : null,
  }
}

/** A fresh DKIM key: RSA of 2,048 bits, the longest that fits everywhere and every receiver reads. */
export async function newDkimKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Whether a text is a key messages can be signed with. */
export function isDkimKey(pem: string): boolean {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 1024
  } catch {
    // not a key
    return false
  }
}

/** The TXT record receivers check signatures by; null where nothing is signed. */
export function dkimRecord(dkim: Dkim | null): { name: string; value: string } | null {
  if (dkim === null) return null
  const key = createPublicKey(dkim.key).export({ type: 'spki', format: 'der' }).toString('base64')
  return { name: `${dkim.selector}._domainkey.${dkim.domain}`, value: `v=DKIM1; k=rsa; p=${key}` }
}

function unsealed(secretKey: string | null, sealed: Buffer | undefined): string | null {
  if (sealed === undefined) return null
  try {
    return smtpSealer(secretKey).open(sealed)
  } catch (error) {
    log.error({ err: error }, 'a secret of the mail server cannot be read with this SECRET_KEY: set it again')
    return null
  }
}
