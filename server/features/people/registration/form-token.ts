import { randomBytes } from 'node:crypto'
import { openSealer } from '#server/platform/seal.ts'

/** Nobody fills the form faster, and nobody takes longer over it. */
const QUICKEST = 3_000
const LONGEST = 12 * 3_600_000

/** What a form was opened with: which one it is, and until when it may be sent. */
type OpenedForm = { id: Buffer; expires: Date }

/**
 * Signs the forms of sign-up, so that what is sent comes from one that was opened here: neither at once, nor long ago. That it
 * is not sent twice is kept in the database.
 */
export function openForms(secretKey: string | null) {
  const sealer = openSealer(secretKey, 'sign-up form')
  return {
    /** The mark of a form opened now. */
    sign: (now: number): string => sealer.seal(`${now} ${randomBytes(16).toString('hex')}`).toString('base64url'),

    /** What a mark says, or in words why it counts for nothing. */
    read(token: string, now: number): OpenedForm | string {
      const [opened = '', id = ''] = opens(token).split(' ')
      const age = now - Number(opened)
      if (id === '' || age < 0) return 'This form was not opened here. Reload the page and try again'
      if (age < QUICKEST) return 'That was quicker than anybody types. Wait a moment and send it again'
      if (age > LONGEST) return 'This form was open for too long. Send it again'
      return { id: Buffer.from(id, 'hex'), expires: new Date(Number(opened) + LONGEST) }
    },
  }

  function opens(token: string): string {
    try {
      return sealer.open(Buffer.from(token, 'base64url'))
    } catch {
      return '' // somebody made it up
    }
  }
}
export type Forms = ReturnType<typeof openForms>
