import type { Values } from './template.ts'

/** A send, or where a system is asked for days the beginning of one. */
export type PullSpot = { at: string; id: string | null }

/** A list that was not read to its end: how its next page is asked for, how many were read, and how far one is once its end is reached. */
export type HalfRead = { values: Values; pages: number; to: PullSpot }

/** How far a round over the leads of a product came, the newest first: all before the spot were asked about; null = none yet. */
export type PullPlace = { spot: PullSpot | null; half: HalfRead | null }
