import type { z } from 'zod'
import { CLICK_DETAILS, CLICK_TEXTS, type click, type ClickText } from '#contract/traffic/click.ts'
import { may } from '#server/access/actor.ts'
import { readableAddress } from '#server/platform/address.ts'
import { mintClickId } from '#server/rules/click/click-id.ts'
import { CLICK_FLAG } from '#server/rules/click/click-row.ts'
import { columnOf } from '#server/statistics/expression.ts'
import { subsOf, type ClickRow } from '#server/statistics/click/stored-click.ts'
import { namesIn } from '../report/keys.service.ts'
import type { Asked, ReportParts } from '../report/report.service.ts'
import { keysAt, type DatedKeys } from './click-key.queries.ts'

type Click = z.output<typeof click>

/** Raw clicks as the caller may see them: names of the own scope, no partner and no whole address for an affiliate. */
export async function presentClicks(
  { db, actor, keys }: { db: ReportParts['db']; actor: Asked['actor']; keys: DatedKeys | null },
  rows: readonly ClickRow[],
): Promise<Click[]> {
  const staff = { affiliate: may(actor, 'affiliate.read'), advertiser: may(actor, 'report.money'), address: may(actor, 'affiliate.read') }
  const named = (column: 'offer' | 'affiliate' | 'advertiser' | 'landing' | 'prelanding') => namesIn(db, actor.scope, rows, column)
  const [offer, affiliate, advertiser, landing, prelanding] = await Promise.all([
    named('offer'),
    staff.affiliate ? named('affiliate') : undefined,
    staff.advertiser ? named('advertiser') : undefined,
    named('landing'),
    named('prelanding'),
  ])
  return rows.map((row) => ({
    at: new Date(row.ts).toISOString(),
    click_id: keys && clickIdOf(row, keys),
    kind: kindOf(row),
    reason: row.reason,
    flags: Object.entries(CLICK_FLAG)
      .filter(([, bit]) => (row.flags & bit) !== 0)
      .map(([name]) => name),
    offer: offer(row.offer),
    ...(affiliate && { affiliate: affiliate(row.affiliate) }),
    ...(advertiser && { advertiser: advertiser(row.advertiser) }),
    landing: landing(row.landing),
    prelanding: prelanding(row.prelanding),
    ...(Object.fromEntries(CLICK_TEXTS.map((id) => [id, row[columnOf(id) as keyof ClickRow]])) as Pick<Click, ClickText>), // one for each
    subs: subsOf(row),
    ...(Object.fromEntries(CLICK_DETAILS.map((name) => [name, row[name]])) as Pick<Click, (typeof CLICK_DETAILS)[number]>), // one for each
    ip: readableAddress(row.ip, !staff.address),
  }))
}

function kindOf({ flags, reason }: ClickRow): Click['kind'] {
  if ((flags & CLICK_FLAG.test) !== 0) return 'test'
  if ((flags & (CLICK_FLAG.bot | CLICK_FLAG.head | CLICK_FLAG.prefetch)) !== 0) return 'filtered'
  return reason === '' ? 'counted' : 'refused'
}

/** The id is not stored: it follows from the row and the key of its day. */
function clickIdOf(row: ClickRow, dated: DatedKeys): string | null {
  const keys = keysAt(dated, row.ts)
  return keys && mintClickId({ at: row.ts, offerId: row.offer, affiliateId: row.affiliate, random: row.rnd }, keys)
}
