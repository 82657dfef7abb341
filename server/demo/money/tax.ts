import { companySetting } from '#contract/money/document.ts'
import type { Actor } from '#server/access/actor.ts'
import { agree, decide, saveOwn } from '#server/features/money/tax-profile/tax-profile.service.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { partyOf } from './tax-data.ts'

const DAY = 86_400_000
/** Who has told how they are taxed, by their places in the demo's list. */
const TOLD = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 16]
/** Gets statements and writes invoices of its own. */
export const IN_STATEMENT_MODE = 4
/** Has told everything, and nobody has decided yet. */
const UNDECIDED = 9

type Category = { vat_category: 'S' | 'AE' | 'E' | 'O'; vat_rate: string; exemption: string }

/** Who affiliates are on paper, how each is taxed (one of each category at least), and who agreed to self-billing. */
export async function makeTaxProfiles(db: Db, at: number, admin: Actor, affiliates: readonly Actor[]): Promise<void> {
  const { agreement } = await getSetting(db, companySetting)
  for (const place of TOLD) {
    const affiliate = affiliates[place]
    if (affiliate === undefined) continue
    const actor = { ...affiliate, address: `91.198.37.${place + 20}` }
    const when = at + (place % 9) * DAY
    const party = partyOf(place)
    const { version } = await saveOwn(db, when, actor, { ...party, version: 1 })
    if (place !== UNDECIDED) {
      const category = categoryOf(party)
      const vies_day = category.vat_category === 'AE' ? new Date(when).toISOString().slice(0, 10) : null
      await decide(db, when + 3_600_000, admin, affiliate.uuid, { ...category, vies_day, corrections: 'usual', ...actOf(party), version })
    }
    if (place !== IN_STATEMENT_MODE) await agree(db, when + 5_400_000, actor, agreement)
  }
}

/** Who is at home in Ukraine signs acts, as is usual there. */
function actOf({ country, name }: { country: string | null; name: string }) {
  if (country !== 'UA') return { act: 'usual' as const, act_post: '', act_name: '' }
  return { act: 'yes' as const, act_post: name.startsWith('ФОП') ? '' : 'директор', act_name: '' }
}

/** As an accountant in Poland would decide. */
function categoryOf({ country, vat_id }: { country: string | null; vat_id: string }): Category {
  const none = { vat_rate: '0', exemption: '' }
  if (country === 'PL') return { vat_category: 'S', vat_rate: '23', exemption: '' }
  if (vat_id !== '') return { vat_category: 'AE', ...none }
  if (country === 'LT') return { vat_category: 'E', vat_rate: '0', exemption: 'Small business, Directive 2006/112/EC, art. 284' }
  return { vat_category: 'O', ...none }
}
