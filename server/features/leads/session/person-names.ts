type Contacts = { phone_hash: Buffer | null; email_hash: Buffer | null }

/** The names by which whoever takes a lead of somebody in, reads them out of a file or forgets them waits for the others. */
export function personNames({ phone_hash, email_hash }: Contacts): string[] {
  return [
    ...(phone_hash === null ? [] : [`lead phone ${phone_hash.toString('hex')}`]),
    ...(email_hash === null ? [] : [`lead email ${email_hash.toString('hex')}`]),
  ]
}
