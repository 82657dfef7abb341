import { z } from 'zod'
import { conversionFilters } from '#contract/traffic/conversion.ts'
import { partnerApiConversionApi } from '#contract/traffic/partner-api.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { readCursor, writeCursor } from '#server/platform/cursor.ts'
import { showConversion, showConversions } from './conversion.service.ts'

/** Conversions for programs of affiliates: what the panel lists, newest first; the cursor holds the moment the first page was taken. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, partnerApiConversionApi, {
    list: async ({ query: { cursor, ...asked }, actor }) => {
      const [until = null, after = null] = readCursor('conversions', cursor, [z.iso.datetime(), AFTER]) ?? []
      const found = await showConversions(db, clock.now(), actor, conversionFilters.parse({ ...asked, until, after }))
      return { data: found.list, next_cursor: found.after === null ? null : writeCursor('conversions', [found.until, found.after]) }
    },
    get: ({ params, actor }) => showConversion(db, actor, params.uuid),
  })
}

/** The place in a list of raw rows: the moment and number of a row. */
const AFTER = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \d{1,18}$/)
