import { createHash } from 'node:crypto'

/**
 * What a call asks for and who asks, short, in whichever order it is said: a key names one call, so that whoever asks for something else
 * by it is told so.
 */
export function askedDigest(actorId: number, asked: object): string {
  return createHash('sha256')
    .update(JSON.stringify([actorId, asked], (_name, value: unknown) => ordered(value)))
    .digest('base64url')
}

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
