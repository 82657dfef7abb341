import type { z } from 'zod'
import type { profile } from '#contract/people/auth.ts'

/** The person signed in, as `me` answers. */
export type Profile = z.output<typeof profile>
