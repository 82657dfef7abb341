import type { z } from 'zod'
import {
  NOTIFICATION_KINDS,
  USUAL_MAIL,
  type MailWay,
  type notificationApi,
  type NotificationChoice,
  type NotificationKind,
} from '#contract/network/notification.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { findDigest, listChoices, storeChoices } from './choice.queries.ts'

/** When digests go out until somebody chooses. */
const USUAL_HOUR = 8

/** What somebody is told of and how: what they chose, and the usual for their side for all else. */
export async function choicesOf(db: DbOrTrx, accountId: number, side: 'staff' | 'affiliate') {
  const [chosen, digest] = await Promise.all([listChoices(db, accountId), findDigest(db, accountId)])
  const usual: Partial<Record<NotificationKind, MailWay | null>> = USUAL_MAIL[side]
  const choices = NOTIFICATION_KINDS.flatMap((kind): NotificationChoice[] => {
    const mail = usual[kind]
    if (mail === undefined || mail === null) return []
    const own = chosen.find((one) => one.kind === kind)
    return [{ kind, bell: own?.bell ?? true, mail: own?.mail ?? mail }]
  })
  return { stopped: digest?.stopped ?? false, hour: digest?.hour ?? USUAL_HOUR, choices }
}

/** Changes what the caller is told of. Kinds that the own side does not hear of are passed over, what is as usual is not kept. */
export async function choose(db: Db, now: number, actor: Actor, input: z.output<typeof notificationApi.choose.body>) {
  const side = actor.affiliateId === null ? 'staff' : 'affiliate'
  const usual: Partial<Record<NotificationKind, MailWay | null>> = USUAL_MAIL[side]
  const last = new Map(input.choices.map((choice) => [choice.kind, choice]))
  const choices = [...last.values()].filter(({ kind, bell, mail }) => (usual[kind] ?? null) !== null && (!bell || mail !== usual[kind]))
  return db.transaction().execute(async (trx) => {
    const before = await choicesOf(trx, actor.accountId, side)
    await storeChoices(trx, now, actor.accountId, { ...input, choices })
    const after = await choicesOf(trx, actor.accountId, side)
    await recordAudit(trx, actor, now, { action: 'update', entity: 'notification', entityId: actor.accountId, before, after })
    return after
  })
}
