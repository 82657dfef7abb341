import { z } from 'zod'
import { clickFilters } from '#contract/traffic/click.ts'
import { partnerApiClickApi } from '#contract/traffic/partner-api.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { readCursor, writeCursor } from '#server/platform/cursor.ts'
import { whenGone } from '#server/platform/http/when-gone.ts'
import { listClicks } from './click.service.ts'

/** Raw clicks for programs of affiliates: what the panel lists, newest first; the cursor holds the moment the first page was taken. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const { clock } = app
  implement(app, partnerApiClickApi, {
    list: async ({ query: { cursor, from, to, zone, kind, search, count }, actor, reply }) => {
      const [until = null, after = null] = readCursor('clicks', cursor, [z.iso.datetime(), AFTER]) ?? []
      const period = { preset: 'custom', from, to }
      const asked = clickFilters.parse({ count, period, zone: zone ?? null, kinds: kind, search, until, after })
      const found = await listClicks(parts, { now: clock.now(), actor, signal: whenGone(reply) }, asked)
      return { data: found.list, next_cursor: found.after === null ? null : writeCursor('clicks', [found.until, found.after]) }
    },
  })
}

/** The place in a list of clicks, as the list writes it. */
const AFTER = z
  .string()
  .regex(/^\d{1,14}\.\d{1,9}\.\d{1,10}\.\d{1,15}$/)
  .refine((text) => Number(text.split('.')[2]) <= 0xffffffff)
