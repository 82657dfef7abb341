import type { z } from 'zod'
import type { click } from '#contract/traffic/click.ts'
import { CLICK_DETAILS, CLICK_TEXTS, type ClickDetail, type ClickText } from '#contract/traffic/click-column.ts'
import { TOLD_REFUSALS } from '#contract/traffic/refusal.ts'
import { readableAddress } from '#server/platform/address.ts'
import { CLICK_FLAG } from '#server/rules/click/click-row.ts'
import { columnOf } from '#server/statistics/expression.ts'
import { subsOf, type ClickRow } from '#server/statistics/click/stored-click.ts'
import type { Key } from '../report/keys.service.ts'

type Click = z.output<typeof click>

type NameOf = (id: number) => Key
/** What the numbers of clicks are called; partners the caller may not know are left out. */
export type ClickNames = Record<'offer' | 'landing' | 'prelanding', NameOf> & Record<'affiliate' | 'advertiser', NameOf | undefined>

/** A raw click with its id, where it is known, and the names the caller may know; the address is cut for those who may not see it whole. */
export function presentClick(
  row: ClickRow,
  clickId: string | null,
  { offer, affiliate, advertiser, landing, prelanding }: ClickNames,
  wholeAddress: boolean,
): Click {
  return {
    at: new Date(row.ts).toISOString(),
    click_id: clickId,
    kind: kindOf(row),
    // whoever may not know advertisers hears nothing of what one owes
    reason: advertiser === undefined ? (TOLD_REFUSALS[row.reason] ?? row.reason) : row.reason,
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
    ...(Object.fromEntries(CLICK_DETAILS.map((name) => [name, row[name]])) as Pick<Click, ClickDetail>), // one for each
    ip: readableAddress(row.ip, !wholeAddress),
  }
}

function kindOf({ flags, reason }: ClickRow): Click['kind'] {
  if ((flags & CLICK_FLAG.test) !== 0) return 'test'
  if ((flags & (CLICK_FLAG.bot | CLICK_FLAG.head | CLICK_FLAG.prefetch)) !== 0) return 'filtered'
  return reason === '' ? 'counted' : 'refused'
}
