import { toUnits } from '#contract/money/amount.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { readMessage } from '#server/rules/conversion/postback-message.ts'
import { postbackValues } from '#server/rules/conversion/postback-values.ts'
import type { Change, RecordedChange } from './change.ts'
import { goalNames, lastTold, listeningPostbacks, tellingOf } from './delivery.queries.ts'

/** The postbacks of the affiliates of some changes that are to hear of them. */
export async function listenersOf(trx: Trx, changes: readonly Change[]) {
  const ids = [...new Set(changes.flatMap(({ quiet, after }) => (quiet === true ? [] : [after.affiliate_id])))]
  return ids.length === 0 ? [] : listeningPostbacks(trx, ids)
}

/**
 * Queues a delivery for every postback of an affiliate that asks to hear of a change, with the address as it is at this
 * moment: later changes of the conversion are deliveries of their own. What a suspended postback misses is held for it. The end
 * of a hold is left out where its call would repeat the last one to the letter: to a tracker that knows no statuses it is no news.
 * Of a hidden goal's conversions only those are told that pay the affiliate something.
 */
export async function queueDeliveries(
  trx: Trx,
  recorded: readonly RecordedChange[],
  postbacks: Awaited<ReturnType<typeof listenersOf>>,
): Promise<void> {
  if (postbacks.length === 0) return
  const changes = recorded.filter(({ quiet }) => quiet !== true)
  const settings = await getGeneralSettings(trx)
  const goals = await goalNames(
    trx,
    changes.map((change) => change.after.goal_id),
  )
  const isReleased = ({ before, after }: RecordedChange) => before?.status === 'hold' && after.status === 'approved'
  const told = await lastTold(
    trx,
    changes.filter(isReleased).map(({ after }) => after.id),
  )
  const templates = new Map(postbacks.map((postback) => [postback.id, readMessage(postback)]))
  const rows = changes.flatMap((change) => {
    const { before, after, seq } = change
    const names = goals.get(after.goal_id) ?? { offer: '', goal: '', goalCode: '', hidden: false }
    // as in the affiliate's list: a hidden goal's conversion that earns nothing is none to it
    if (names.hidden && [before, after].every((state) => toUnits(state?.payout ?? '0') === 0n)) return []
    const at = after.updated_at
    let values: ReturnType<typeof postbackValues> | undefined
    return postbacks
      .filter((postback) => postback.affiliate_id === after.affiliate_id)
      .filter((postback) => postback.offer_id === null || postback.offer_id === after.offer_id)
      .filter((postback) => postback.goal_code === null || postback.goal_code === names.goalCode)
      .filter((postback) => postback.statuses.length === 0 || postback.statuses.includes(after.status))
      .flatMap((postback) => {
        values ??= postbackValues(after, { ...names, externalId: postback.external_id }, before?.status ?? null, at.getTime(), settings)
        const message = templates.get(postback.id)?.write(values)
        if (message === undefined) return []
        if (isReleased(change) && told.get(`${postback.id} ${after.id}`) === tellingOf(message)) return []
        return {
          postback_id: postback.id,
          affiliate_id: after.affiliate_id,
          conversion_id: after.id,
          history_seq: seq,
          replay: 0,
          ...message,
          host: hostOf(message.url),
          state: postback.status === 'suspended' ? 'held' : 'queued',
          next_try_at: at,
          created_at: at,
        }
      })
  })
  await insertRows(
    trx,
    'postback_delivery',
    rows.map((row) => ({ uuid: crypto.randomUUID(), tries: 0, error: '', ...row })),
  )
}

/** The host and port an address leads to; '' for one that is none, which the sender will refuse. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
