import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line, requiredLine, uuid } from '#contract/fields.ts'

/** More views than this of one screen nobody finds anything in. */
export const MOST_VIEWS = 50

const screen = z.string().regex(/^[a-z][a-z-]{0,39}$/, 'The name of a list or report')
const fields = {
  screen,
  name: requiredLine(60),
  /** What stands in the address of the screen after the question mark. */
  address: line(4000),
  shared: z.boolean().default(false),
}

export const savedView = z.object({
  uuid,
  name: z.string(),
  address: z.string(),
  shared: z.boolean(),
  /** Whether it is the caller's own: others' are shared ones, to be used but not changed. */
  own: z.boolean(),
  owner: z.string(),
})

export const savedViewApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/saved-view/v1/list',
    access: 'signedIn',
    reads: true,
    summary: 'The own views of a screen by name, then those that colleagues share.',
    body: z.object({ screen }),
    response: z.object({ list: z.array(savedView) }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/saved-view/v1/save',
    access: 'signedIn',
    summary: 'Keeps a view; an own one of the same screen and name is replaced.',
    body: z.object(fields),
    response: savedView,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/saved-view/v1/remove/:uuid',
    access: 'signedIn',
    summary: 'Deletes an own view; one that is gone already is no mistake.',
    params: z.object({ uuid }),
    response: z.object({}),
  }),
}

/** More tables than this the panel does not have. */
export const MOST_LAYOUTS = 50
/** More columns than this no table has. */
const MOST_COLUMNS = 200

const columnId = z.string().regex(/^[a-z]\w{0,59}$/, 'The name of a column')
const layout = {
  /** The word of its feature. */
  list: screen,
  /** The columns it shows, in order; null: as the list declares them. Those that a list does not know are passed over. */
  columns: z.array(columnId).max(MOST_COLUMNS).nullable(),
  /** Pixels of the columns that were dragged to a width. */
  widths: z
    .record(columnId, z.number().int().min(1).max(10_000))
    .refine((widths) => Object.keys(widths).length <= MOST_COLUMNS, `At most ${MOST_COLUMNS} columns`)
    .meta({ maxProperties: MOST_COLUMNS }),
}

export const tableLayout = z.object(layout)

/** How people arrange their tables, which follows them from browser to browser. */
export const tableLayoutApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/table-layout/v1/list',
    access: 'signedIn',
    reads: true,
    summary: 'How the caller has arranged tables: columns in order, and widths.',
    response: z.object({ list: z.array(tableLayout) }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/table-layout/v1/save',
    access: 'signedIn',
    remembers: true,
    summary: 'Keeps how one table is arranged; what is not named stays as it is, and of two calls the last one counts.',
    body: z.object({ list: layout.list, columns: layout.columns.optional(), widths: layout.widths.optional() }),
    response: z.object({}),
  }),
}
