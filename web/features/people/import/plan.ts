import type { ImportDetail } from '#contract/people/import.ts'

/** What somebody chose: the columns, and what holds where the file says nothing. */
export type Plan = Pick<ImportDetail, 'mapping' | 'options'>
