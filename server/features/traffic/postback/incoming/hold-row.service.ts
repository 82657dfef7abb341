import { randomUUID } from 'node:crypto'
import type { Trx } from '#server/platform/pg/database.ts'
import type { ReportOutcome } from '../../conversion/plan-report.service.ts'
import { storeIncoming } from './incoming.queries.ts'
import type { Interpreted } from './interpreted.ts'
import type { PostbackFields } from './parse.service.ts'
import { answered } from './receive.service.ts'

/** Where a dialect would read a call, none comes by: what a row said is kept as it was understood. */
const OF_A_FILE = { method: 'FILE', path: '/file', query: '', body: '', address: '' }

/** Keeps what a row of a file says of a paid conversion where the network asks first, as a call of its advertiser that waits for staff; once. */
export async function holdRow(
  trx: Trx,
  now: number,
  { of, report, fields }: Pick<Interpreted, 'of' | 'report' | 'fields'>,
  held: Extract<ReportOutcome, { outcome: 'held_for_review' }>,
): Promise<void> {
  const said = meant(fields, report)
  const result = await answered(trx, held, said)
  if (result.outcome !== 'held_for_review') return
  const { offer_id, affiliate_id, advertiser_id } = held.conversion
  const whose = { offerId: offer_id, affiliateId: affiliate_id, advertiserId: advertiser_id, authorized: true, tokenHash: null }
  await storeIncoming(
    trx,
    { ...OF_A_FILE, ...whose, requestKey: randomUUID(), receivedAt: now, fields: { ...said, click_id: of.clickId } },
    result,
  )
}

/** With our own word for the status: what a file calls it may be known for that file alone. */
function meant(fields: PostbackFields, { status, statusNamed }: Interpreted['report']): PostbackFields {
  if (statusNamed === false) return fields
  const others = fields.said.filter(({ kind }) => kind !== 'status' && kind !== 'status?')
  return { ...fields, said: [...others, { kind: 'status', name: 'status', value: status }] }
}
