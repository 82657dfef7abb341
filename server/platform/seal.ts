import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE = 12
const TAG = 16

/** Keeps texts so that only who holds the instance's SECRET_KEY reads them: AES-256-GCM. */
export type Sealer = {
  /** A fresh nonce, the mark of integrity, and the encrypted text. */
  seal(text: string): Buffer
  /** Throws where it was sealed with another key, for another purpose, or changed since. */
  open(sealed: Buffer): string
}

/** `purpose` makes a key of its own out of the instance's, so that what is sealed for one cannot be passed off as another. */
export function openSealer(secretKey: string | null, purpose: string): Sealer {
  if (secretKey === null) throw new Error('SECRET_KEY is missing: nothing can be sealed without it')
  const key = keyFor(secretKey, purpose)
  return {
    seal(text) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG })
      decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
      return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
    },
  }
}

const keys = new Map<string, Buffer>()

/** The key of a purpose, made once: that takes longer than to seal something with it. */
function keyFor(secretKey: string, purpose: string): Buffer {
  const name = `${purpose} ${secretKey}`
  const key = keys.get(name) ?? Buffer.from(hkdfSync('sha256', secretKey, '', `ohma ${purpose}`, 32))
  keys.set(name, key)
  return key
}
