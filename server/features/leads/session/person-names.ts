type Contacts = { phone_hash: Buffer | null; email_hash: Buffer | null }

/** The name by which those wait for each other who come with the same in one respect; nothing where there is none. */
export function sharedName(respect: string, hash: Buffer | null): string[] {
  return hash === null ? [] : [`${respect} ${hash.toString('hex')}`]
}

/** The names by which whoever takes a lead of somebody in, reads them out of a file or forgets them waits for the others. */
export function personNames({ phone_hash, email_hash }: Contacts): string[] {
  return [...sharedName('lead phone', phone_hash), ...sharedName('lead email', email_hash)]
}
