import type { z } from 'zod'
import type { Permission } from '#contract/access.ts'
import { coldConsentSetting } from '#contract/leads/cold-consent.ts'
import { retentionSetting } from '#contract/leads/retention.ts'
import { billingSetting } from '#contract/money/billing.ts'
import { commissionSetting } from '#contract/money/commission.ts'
import { currencyApi } from '#contract/money/currency.ts'
import { rateFeedSetting } from '#contract/money/currency-rate.ts'
import { seriesSetting } from '#contract/money/series.ts'
import { paymentSetting } from '#contract/money/payment.ts'
import { legalApi } from '#contract/network/legal.ts'
import { mailTemplateApi } from '#contract/network/mail-template.ts'
import { generalSetting, trafficbackSetting } from '#contract/network/setting.ts'
import { smtpApi, smtpSetting } from '#contract/network/smtp.ts'
import { backupSetting } from '#contract/network/system.ts'
import { affiliateSetting } from '#contract/people/affiliate-setting.ts'
import type { auditApi, SETTING_KINDS } from '#contract/people/audit.ts'
import { referralSetting } from '#contract/people/referral.ts'
import { registrationSetting } from '#contract/people/registration.ts'
import { securitySetting } from '#contract/people/security.ts'
import { incomingSetting, postbackApi } from '#contract/traffic/postback.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { listAudit, type AuditOf } from './audit.queries.ts'
import { presentEntries } from './log.service.ts'

/** What was changed in one part of the settings, for whoever may read that part. Throws `not_found`: to anybody else it does not exist. */
export async function readSettingHistory(db: Db, actor: Actor, asked: z.output<typeof auditApi.settings.body>) {
  const { permission, things } = PARTS[asked.kind](asked.part)
  if (permission === undefined || !may(actor, permission)) throw new AppError('not_found')
  const { rows, list } = await listAudit(db, { things, by: null }, asked)
  return { list: await presentEntries(db, actor, list), summary: { rows } }
}

/** Sections by what the log calls them, and who may read each. */
const SECTIONS: ReadonlyMap<string, Permission> = new Map([
  ...[
    generalSetting,
    trafficbackSetting,
    paymentSetting,
    billingSetting,
    commissionSetting,
    seriesSetting,
    backupSetting,
    rateFeedSetting,
    coldConsentSetting,
    retentionSetting,
    affiliateSetting,
    referralSetting,
    registrationSetting,
    securitySetting,
  ].map(({ key, read }) => [key, read.access] as const),
  [smtpSetting.key, smtpApi.read.access] as const,
  [incomingSetting.key, postbackApi.incoming.access] as const,
])

type Part = { permission: Permission | undefined; things: AuditOf['things'] }

const PARTS: Readonly<Record<(typeof SETTING_KINDS)[number], (key: string) => Part>> = {
  setting: (key) => ({ permission: SECTIONS.get(key), things: [{ entity: 'setting', ids: [key] }] }),
  mail_template: (key) => ({ permission: mailTemplateApi.list.access, things: [{ entity: 'mail_template', ids: [key] }] }),
  legal_text: (key) => ({ permission: legalApi.current.access, things: [{ entity: 'legal_text', ids: [key] }] }),
  currency: () => ({
    permission: currencyApi.list.access,
    things: [
      { entity: 'currency', ids: 'all' },
      { entity: 'currency_rate', ids: 'all' },
    ],
  }),
}
