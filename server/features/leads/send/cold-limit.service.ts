import { coldConsentSetting } from '#contract/leads/cold-consent.ts'
import type { CascadeMember } from '#server/rules/lead/cascade.ts'
import { agreedTo } from '#server/rules/lead/cold/skip.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { gateFor, readConsent } from './cold-consent.ts'
import { advertisersOf, findNamed, getLimits } from './cold-limit.queries.ts'

/**
 * What a second sale changes in the cascade of its offer: only its products are asked, who had the person stays out as long as its policy
 * says, and only whom the consent covers may have them.
 */
export async function limitCold(
  trx: Trx,
  session: { country: string; consent: Record<string, unknown> | null },
  recoldId: number,
): Promise<{ members<Member extends CascadeMember>(all: readonly Member[]): Member[]; consentTo: ReadonlySet<number> | null }> {
  const { product_ids, skip } = await getLimits(trx, recoldId)
  const gate = gateFor(await getSetting(trx, coldConsentSetting), session.country)
  const named = await findNamed(trx, await advertisersOf(trx, recoldId))
  return {
    members: (all) =>
      all
        .filter(({ productId }) => product_ids.length === 0 || product_ids.includes(productId))
        .map((member) => ({ ...member, repeatDays: skip.same_advertiser_days })),
    consentTo: agreedTo(gate, readConsent(session.consent, named)),
  }
}

/** After so many rounds a person of a distribution is given up. */
export async function roundsOf(trx: Trx, recoldId: number): Promise<number> {
  const { pacing } = await getLimits(trx, recoldId)
  return pacing.attempts
}
