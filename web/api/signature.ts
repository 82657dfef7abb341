import { localStore } from '#web/browser-store.ts'
import { withinChunkTimeout } from '#web/chunk.ts'

/** Hex SHA-256 of `timestamp.token.body`: what the server compares `X-Signature` with. */
export async function signatureOf(
  timestamp: string,
  token: string,
  rawBody: string | Uint8Array,
  subtle: SubtleCrypto | undefined,
): Promise<string> {
  const head = new TextEncoder().encode(`${timestamp}.${token}.`)
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return hex(subtle === undefined ? await softwareSha256(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes)))
}

const SIGNS = 'ohma.signs'

/** Whether calls of a page at a host are signed: everywhere but on the own machine, and there too where the server asks for it. */
export function isSigned(hostname: string): boolean {
  return !isLocalhost(hostname) || localStore.getItem(SIGNS) === '1'
}

/** Remembers what the server asks for on the own machine; start.js reads it before the first call. */
export function rememberSigning(required: boolean): void {
  if (required) localStore.setItem(SIGNS, '1')
  else localStore.removeItem(SIGNS)
}

/** The own machine, by the name it has in the address. */
export function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]'
}

/**
 * Follows the server's clock by the `Date` header of its answers, so that a device whose clock is wrong can still sign.
 * Differences under two seconds are noise: the header has whole seconds and the answer took its time.
 */
export function serverClock(deviceNow: () => number): { now(): number; read(date: string | null): void } {
  let offset = 0
  return {
    now: () => deviceNow() + offset,
    read(date) {
      const told = date === null ? Number.NaN : Date.parse(date)
      if (Number.isNaN(told)) return
      const difference = told - deviceNow()
      offset = Math.abs(difference) < 2000 ? 0 : difference
    },
  }
}

/** `crypto.subtle` does not exist on plain http outside localhost. */
async function softwareSha256(bytes: Uint8Array): Promise<Uint8Array> {
  const { sha256 } = await withinChunkTimeout(() => import('@noble/hashes/sha2.js'))
  return sha256(bytes)
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
