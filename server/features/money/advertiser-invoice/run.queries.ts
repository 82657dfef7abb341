import { sql } from 'kysely'
import type { receivableSetting } from '#contract/money/advertiser-billing.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { Company } from '#contract/money/document.ts'
import type { PERIOD_ENDS } from '#contract/money/payment.ts'
import type { LEFT_OUT } from '#contract/money/run-shape.ts'
import { VAT_CATEGORIES } from '#contract/money/vat.ts'
import { missingOfCompany } from '#server/features/money/tax-profile/missing.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { billableSums, heldBefore, laterSums } from './billable.queries.ts'

/** The end of a period of a schedule, and what holds where an advertiser has no terms of its own. */
export type RunAsked = {
  until: Date
  periodTo: string
  now: Date
  schedule: string | null
  /** Only those whose terms say so, and whoever is left out: nobody else would be told of what they owe. Null: all. */
  makes: (typeof PERIOD_ENDS)[number] | null
  network: (typeof receivableSetting)['defaults']
  company: Company
}

export type RunPreviewRow = {
  advertiser: { uuid: string; id: number; name: string }
  currency: Currency
  conversions: number
  corrections: number
  net: string
  vat: string
  total: string
  later: string | null
  due_day: string
  left_out: (typeof LEFT_OUT)[number] | null
  reasons: (typeof LEFT_OUT)[number][]
  minimum: string
  makes: (typeof PERIOD_ENDS)[number]
}

/** What a run would invoice each advertiser, in each currency, and why some get none; the largest first. */
export async function previewRunRows(db: DbOrTrx, asked: RunAsked, most: number | null): Promise<RunPreviewRow[]> {
  const { network, company } = asked
  // as issuing asks for it: less of it is wanted without VAT
  const lacking = VAT_CATEGORIES.filter((category) => missingOfCompany(company, category).length > 0)
  const general = JSON.stringify(Object.fromEntries(network.minimums.map(({ currency, amount }) => [currency, amount])))
  const heldUntil = heldBefore(asked.now, network.hold_days)
  const sums = billableSums({ until: asked.until, offerIds: [], includeHold: network.include_hold, heldUntil })
  const { rows } = await sql<RunPreviewRow>`
    with sums as (${sums}), later as (${laterSums(asked.until)}), judged as (
      select s.advertiser_id, nullif(w.amount, 0)::text as later, s.currency, s.conversions, s.corrections + s.adjustments as corrections, round(s.amount, u.decimals) as net,
             lowest.minimum, json_build_object('uuid', v.uuid, 'id', v.id, 'name', v.name) as advertiser, coalesce(b.makes, ${network.makes}) as makes,
             case when b.vat_category = 'S' then round(round(s.amount, u.decimals) * b.vat_rate / 100, u.decimals) else 0 end as vat,
             to_char(${asked.periodTo}::date + coalesce(b.net_days, ${network.net_days}::int), 'YYYY-MM-DD') as due_day,
             array_remove(array[
               case when round(s.amount, u.decimals) <= 0 then 'negative' end,
               case when round(s.amount, u.decimals) > 0 and round(s.amount, u.decimals) < lowest.minimum then 'below_minimum' end,
               case when v.status <> 'active' then 'not_active' end,
               case when b.advertiser_id is null then 'no_vat_profile' end,
               case when coalesce(b.vat_category, 'O') = any(${lacking}::text[])
                 or '' in (coalesce(v.company ->> 'name', ''), coalesce(v.company ->> 'address', ''), coalesce(v.company ->> 'country', ''))
                 or b.vat_category = 'AE' and coalesce(v.company ->> 'vat_id', '') = '' then 'company_incomplete' end,
               case when exists (select from advertiser_invoice i where i.advertiser_id = s.advertiser_id and i.currency = s.currency
                 and i.status = 'draft' and i.deleted_at is null) then 'live_invoice' end], null) as reasons
        from sums s join advertiser v on v.id = s.advertiser_id join currency u on u.code = s.currency
        left join advertiser_billing b on b.advertiser_id = s.advertiser_id
        left join later w on w.advertiser_id = s.advertiser_id and w.currency = s.currency
        cross join lateral (select coalesce((b.minimums ->> s.currency)::numeric, (${general}::jsonb ->> s.currency)::numeric, 0) as minimum) lowest
       where ${asked.schedule === null ? sql`true` : sql`coalesce(b.schedule, ${network.schedule}) = ${asked.schedule}`})
    select advertiser, currency, conversions, corrections, net::text, vat::text, (net + vat)::text as total, later, due_day,
           reasons[1] as left_out, reasons, minimum::text, makes from judged
     where ${asked.makes === null ? sql`true` : sql`(makes = ${asked.makes} or reasons <> '{}')`}
     order by reasons <> '{}', currency, net desc, advertiser_id limit ${most}`.execute(db)
  return rows
}
