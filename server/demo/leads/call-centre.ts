import type { CallStatus } from '#contract/leads/call-status.ts'
import { OVER, SOLD, TAKEN_BACK } from '#server/features/leads/status/apply-status.service.ts'
import { normalStatus, readStatus } from '#server/rules/lead/integration/status-word.ts'
import type { DrawnSend } from './drawn.ts'
import { storyOf } from './story.ts'

/** What was heard of a lead: null = a word nobody has mapped, no change of the session, nothing booked. */
export type ToldBy = {
  at: number
  word: string
  normal: string
  status: CallStatus | null
  sale: boolean
  amount: string
  becomes: 'converted' | 'closed' | null
  goal: 'approved' | 'declined' | null
}

const QUARTER = 15 * 60_000

/** What an advertiser told of a lead it took until now, each change once, read as `applyStatus` reads it. */
export function callsOf({ status, product, uuid, answeredAt }: DrawnSend, now: number): ToldBy[] {
  if (status !== 'accepted') return []
  const { spec, seller, id } = product
  const heard: ToldBy[] = []
  let sold = false
  for (const { after, word, sale, amount } of storyOf(seller.story, uuid)) {
    const said = answeredAt + after
    // who is asked is heard with the next question, every quarter of an hour
    const at = spec.pull === null ? said : Math.ceil((said - id * 60_000) / QUARTER) * QUARTER + id * 60_000
    if (at >= now) break
    const last = heard.at(-1)
    if (last !== undefined && last.word === word && last.status !== null) continue
    const meaning = (sale ? 'sale' : readStatus(word, spec.statuses)) ?? null
    const isSold = meaning !== null && SOLD.has(meaning)
    const isBack = meaning !== null && TAKEN_BACK.has(meaning)
    const goal = isSold ? 'approved' : isBack && last !== undefined ? 'declined' : null
    const becomes = isSold ? 'converted' : meaning !== null && OVER.has(meaning) && (!sold || isBack) ? 'closed' : null
    sold ||= isSold
    heard.push({ at, word, normal: normalStatus(word), status: meaning, sale, amount, becomes, goal })
  }
  return heard
}
