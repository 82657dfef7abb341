import { z } from 'zod'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './paging.ts'

/** Fields of every list of the partner API. A cursor is taken from the answer before; nobody writes one. */
export const cursorPaging = {
  cursor: z.string().min(1).max(400).optional(),
  count: z.coerce.number<string>().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
}

/** A page of rows, the newest first; `next_cursor` is null on the last one. */
export function cursorPageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ data: z.array(row), next_cursor: z.string().nullable() })
}

/** Several values of one kind in a query, with commas between them; none where nothing is said. */
export function commaList<Item extends z.ZodType<unknown, string>>(item: Item, most: number) {
  return z
    .string()
    .max(4000)
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    )
    .pipe(z.array(item).max(most, `At most ${most} values`))
}
