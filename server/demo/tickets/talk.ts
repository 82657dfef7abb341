import type { ticketInput } from '#contract/network/ticket.ts'
import type { z } from 'zod'
import type { DemoFile } from './files.ts'

type Input = z.output<typeof ticketInput>

/** Something said or done: who, so many hours after what was before it, the words, and a file. */
export type Step = readonly [
  who: 'them' | 'us' | 'note' | 'shut' | 'work' | 'approve' | 'reject',
  hours: number,
  body?: string,
  file?: DemoFile,
]

/** A ticket of the demo: of which affiliate, how many days ago it was opened, and what was said. */
export type Talk = {
  of: number
  days: number
  subject: string
  about: Input['category']
  how?: Input['priority']
  steps: readonly Step[]
  /** Who of staff answers, where it isn't the affiliate's manager. */
  by?: 'admin' | 'head'
  /** To whom it is given, or to nobody; to who answers first where nothing is said and somebody has answered. */
  to?: 'admin' | 'head' | 'nobody'
  /** The other side has not read what was said last. */
  unread?: true
}

/** Puts a talk of the demo into one line. */
export const talk = (
  of: number,
  days: number,
  about: Talk['about'],
  subject: string,
  steps: readonly Step[],
  more: Partial<Talk> = {},
): Talk => ({
  of,
  days,
  about,
  subject,
  steps,
  ...more,
})
