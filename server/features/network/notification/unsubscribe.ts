import { openSealer } from '#server/platform/seal.ts'

/** The address that ends the mails of an account: it says whose only to us, nobody makes one, and it holds as long as the instance's key. */
export function unsubscribeAddress(secretKey: string | null, publicUrl: string): (accountUuid: string) => string {
  const sealer = openSealer(secretKey, 'unsubscribe')
  return (uuid) => `${publicUrl}/unsubscribe/${sealer.seal(uuid).toString('base64url')}`
}

/** Whose mails a link ends; undefined where it is none of ours. */
export function readUnsubscribe(secretKey: string | null, token: string): string | undefined {
  try {
    const uuid = openSealer(secretKey, 'unsubscribe').open(Buffer.from(token, 'base64url'))
    return /^[0-9a-f-]{36}$/.test(uuid) ? uuid : undefined
  } catch {
    return undefined
  }
}
