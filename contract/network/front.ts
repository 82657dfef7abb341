import { z } from 'zod'

/** What the doors of an instance are told by its api: which names lead here, and the certificates it has for them. */
export const frontState = z.object({
  panel: z.array(z.string()),
  tracking: z.array(z.string()),
  certificates: z.array(z.object({ cert: z.string(), key: z.string() })),
})
export type FrontState = z.output<typeof frontState>
