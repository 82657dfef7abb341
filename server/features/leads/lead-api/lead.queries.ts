import type { z } from 'zod'
import type { leadApi } from '#contract/leads/lead.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { sessions } from '../session/session.queries.ts'

type Filters = z.output<typeof leadApi.list.query>

/** A lead of an affiliate. */
export function findLead(db: DbOrTrx, affiliateId: number, key: string) {
  return sessions(db)
    .where('s.affiliate_id', '=', affiliateId)
    .where(keyIs(key, { uuid: 's.uuid', id: 's.id' }))
    .executeTakeFirst()
}

/** A page of the leads of an affiliate, the newest first; one more than asked for tells that there is another page. */
export function listLeads(db: DbOrTrx, affiliateId: number, { cursor, count, status, external_id, from, to }: Filters) {
  const before = cursor === undefined ? null : readCursor(cursor)
  return (
    sessions(db)
      .where('s.affiliate_id', '=', affiliateId)
      // what staff try is none of theirs
      .where('s.origin', '!=', 'test')
      .$if(status !== undefined, (query) => query.where('s.status', '=', status ?? 'received'))
      .$if(external_id !== undefined, (query) => query.where('s.external_id', '=', external_id ?? ''))
      .$if(from !== undefined, (query) => query.where('s.received_at', '>=', new Date(from ?? 0)))
      .$if(to !== undefined, (query) => query.where('s.received_at', '<', new Date(to ?? 0)))
      .$if(before !== null, (query) =>
        query.where((where) =>
          where(where.refTuple('s.received_at', 's.id'), '<', where.tuple(new Date(before?.at ?? 0), before?.id ?? '0')),
        ),
      )
      .orderBy('s.received_at', 'desc')
      .orderBy('s.id', 'desc')
      .limit(count + 1)
      .execute()
  )
}

/** Where a page ended. */
export function cursorOf({ received_at, id }: { received_at: Date; id: string }): string {
  return `${received_at.getTime()}-${id}`
}

/** null = it is none: then the list begins anew. */
function readCursor(text: string): { at: number; id: string } | null {
  const [, at, id] = /^(\d{1,14})-(\d{1,18})$/.exec(text) ?? []
  return at === undefined || id === undefined ? null : { at: Number(at), id }
}
