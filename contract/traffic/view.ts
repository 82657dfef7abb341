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
