import { z } from 'zod'
import { day } from '#contract/fields.ts'

/** The first and the last day on which what stands on a document was supplied, in its zone; null without lines. */
export const supply = z.object({ from: day, to: day }).nullable()
