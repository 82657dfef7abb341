import type { LastChange } from '#contract/network/define-setting.ts'
import { incomingSetting, type IncomingUpdate } from '#contract/traffic/postback.ts'
import type { Actor } from '#server/access/actor.ts'
import { lockSetting, storeSetting, tellSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { isNetwork } from '#server/platform/network.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { newToken } from '#server/platform/secret.ts'
import type { IncomingSettings } from './incoming.queries.ts'

/**
 * Replaces how the network takes postbacks and logs what changed. Whoever saves waits for who came first, so that a token
 * that was replaced stays replaced. Throws `invalid_input` and `conflict`.
 */
export async function saveIncomingSettings(
  db: Db,
  now: number,
  actor: Actor,
  { version, token, ...input }: IncomingUpdate,
): Promise<IncomingSettings & { version: number; changed: LastChange }> {
  const mistake = input.allowed_ips.find((entry) => !isNetwork(entry))
  if (mistake !== undefined)
    throw new AppError('invalid_input', { fields: { allowed_ips: `"${mistake}" is no address or network such as 203.0.113.0/24` } })
  return db.transaction().execute(async (trx) => {
    const before = await lockSetting(trx, incomingSetting)
    refuseStale(before, version)
    const after = { ...input, token: token === 'keep' ? before.token : token === 'new' ? newToken() : null }
    await storeSetting(trx, now, incomingSetting.key, after)
    await recordAudit(trx, actor, now, { action: 'update', entity: 'setting', entityId: incomingSetting.key, before, after })
    return tellSetting(trx, incomingSetting)
  })
}
