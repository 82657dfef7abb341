import { toUnits, type Currency } from '#contract/money/amount.ts'
import { billingSetting } from '#contract/money/billing.ts'
import type { Actor } from '#server/access/actor.ts'
import { hasSomebodyElse } from '#server/features/money/second-person/four-eyes.service.ts'
import { getGeneralSettings, lockSetting, storeSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import type { RulesAsked } from '#server/rules/proposal-asked.ts'
import { insertProposal, lapseRules } from '#server/features/money/second-person/proposed.queries.ts'

type Rules = typeof billingSetting.defaults
const LIMITS = ['four_eyes_limit', 'receipt_limit'] as const

/**
 * What of the rules is kept at once: whoever switches the rule of two people off, or raises one of its limits, only proposes that while somebody
 * else may approve. One person alone could take it away otherwise, and give it back after. All else is kept as it was asked.
 */
export async function keepRules(
  trx: Trx,
  values: Rules,
  { actor, before, now }: { actor: Actor | null; before: Rules; now: number },
): Promise<Rules> {
  const { four_eyes, four_eyes_limit, receipt_limit } = values
  const isSame = before.four_eyes === four_eyes && LIMITS.every((limit) => toUnits(before[limit]) === toUnits(values[limit]))
  if (isSame || actor === null) return values
  const at = new Date(now)
  await lapseRules(trx, at)
  if (!isLooser(before, values) || !(await hasSomebodyElse(trx, now, 'billing.approve'))) return values
  const { base_currency: currency } = await getGeneralSettings(trx)
  // in no language, for the inbox: from which limit to which, with that of receipts where it changes
  const withReceipts = toUnits(before.receipt_limit) !== toUnits(receipt_limit)
  const note = `${limitOf(before, withReceipts)} → ${limitOf(values, withReceipts)}`
  const asked: RulesAsked = { rules: { four_eyes, four_eyes_limit, receipt_limit } }
  await insertProposal(trx, { kind: 'rules', currency, amount: four_eyes_limit, note, asked, made_by: actor.accountId, created_at: at })
  await recordAudit(trx, actor, now, { action: 'rules_proposed', entity: 'setting', entityId: billingSetting.key, after: asked.rules })
  return { ...values, four_eyes: before.four_eyes, four_eyes_limit: before.four_eyes_limit, receipt_limit: before.receipt_limit }
}

/**
 * Keeps the base currency while the rule of two people is in force and somebody else may approve: the limit is told in it, and one person
 * alone would make another one of it. Throws `invalid_input`.
 */
export async function refuseOtherBase(trx: Trx, now: number, before: Currency, after: Currency): Promise<void> {
  if (before === after) return
  const { four_eyes } = await lockSetting(trx, billingSetting)
  if (four_eyes && (await hasSomebodyElse(trx, now, 'billing.approve')))
    throw new AppError('invalid_input', {
      fields: { base_currency: 'Switch the rule of two people off first: its limit is told in this currency' },
    })
}

/** Puts confirmed rules in force, whatever else was changed meanwhile. */
export async function confirmRules(trx: Trx, now: number, actor: Actor, { rules }: RulesAsked): Promise<void> {
  const { version: _version, ...before } = await lockSetting(trx, billingSetting)
  const after = { ...before, ...rules }
  await storeSetting(trx, now, billingSetting.key, after)
  await recordAudit(trx, actor, now, { action: 'update', entity: 'setting', entityId: billingSetting.key, before, after })
}

function isLooser(before: Rules, after: Rules): boolean {
  return before.four_eyes && (!after.four_eyes || LIMITS.some((limit) => toUnits(after[limit]) > toUnits(before[limit])))
}

function limitOf({ four_eyes, four_eyes_limit, receipt_limit }: Rules, withReceipts: boolean): string {
  if (!four_eyes) return '–'
  return withReceipts ? `${four_eyes_limit} / ${receipt_limit}` : four_eyes_limit
}
