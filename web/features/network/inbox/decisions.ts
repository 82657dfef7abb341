import { inboxApi, type InboxKind, type InboxRow } from '#contract/network/inbox.ts'
import { integrityApi } from '#contract/leads/integrity.ts'
import { rateTableApi } from '#contract/money/currency-rate.ts'
import { landingApi } from '#contract/offers/landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { ACTIVATION_WARNINGS } from '#contract/offers/offer-fields.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { ticketApi } from '#contract/network/ticket.ts'
import { affiliatePostbackApi } from '#contract/traffic/affiliate-postback.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { call } from '#web/api/call.ts'
import type { Verdict } from '#web/features/network/inbox/inbox-entry.tsx'

/** What came of a decision. */
type Decided = {
  /** 0: somebody else was first, or it `stays` as it was. */
  changed: number
  stays?: boolean
  /** Until when an approved conversion is on hold. */
  heldUntil?: string | null
  /** Takes it back, where that is possible; `changed` is 0 where something has happened to it since. What was sent cannot be. */
  undo?: () => Promise<{ changed: number }>
}

/** Decides about one row of the inbox by the endpoint of its kind, with what is `said`: why, or the new limit of a cap, which may `resume` its offer. What is no longer as it was listed is left alone. Throws as calls do, who have told. */
export async function decideRow(kind: InboxKind, verdict: Verdict, row: InboxRow, said: string, resume = false): Promise<Decided> {
  const approve = verdict === 'approve'
  if (!approve && (kind === 'deliveries' || kind === 'postbacks')) {
    const dismiss = (dismissed: boolean) => call(inboxApi.dismiss, { body: { [kind]: [row.id], dismissed } })
    return { changed: (await dismiss(true)).changed, undo: () => dismiss(false) }
  }
  if (kind === 'access') {
    const entries = [{ offer_uuid: row.offer?.uuid ?? '', affiliate_uuid: row.affiliate?.uuid ?? '' }]
    const status = approve ? 'approved' : 'rejected'
    const { changed, decided_at } = await call(offerApi.decideAccess, { body: { entries, status, expected: 'pending', reason: said } })
    return { changed, undo: () => call(offerApi.undoAccess, { body: { entries, decided_at } }) }
  }
  if (kind === 'affiliates') {
    const [uuids, status] = [[row.id], approve ? ('active' as const) : ('rejected' as const)]
    const { changed } = await call(affiliateApi.setStatus, {
      body: { uuids, status, expected: 'moderation', reason: approve ? '' : said },
    })
    return { changed, undo: () => call(affiliateApi.undo, { body: { uuids, status } }) }
  }
  if (kind === 'landings') {
    const uuids = [row.id]
    const { changed } = await call(landingApi.decide, { body: { uuids, approve, reason: said } })
    return { changed, undo: () => call(landingApi.undo, { body: { uuids } }) }
  }
  if (kind === 'conversions') {
    const {
      changed,
      decisions,
      hold_until: heldUntil,
    } = await call(conversionApi.decide, {
      body: { uuids: [row.id], status: approve ? 'approved' : 'declined', expected: 'pending', reason: said },
    })
    return { changed, heldUntil, undo: () => call(conversionApi.undo, { body: { decisions } }) }
  }
  if (kind === 'leads') return call(integrityApi.review, { body: { uuids: [row.id], approve, note: approve ? '' : said } })
  if (kind === 'tickets') {
    const give = (status: 'closed' | 'waiting_us', expected: 'closed' | 'waiting_us') =>
      call(ticketApi.setStatus, { body: { uuids: [row.id], status, expected } })
    return { changed: (await give('closed', 'waiting_us')).changed, undo: () => give('waiting_us', 'closed') }
  }
  if (kind === 'caps' && row.offer !== null && row.cap !== null) {
    const { uuid } = row.offer
    if (!approve) {
      const move = (status: 'active' | 'paused', expected: 'active' | 'paused') =>
        // it was active a moment ago, whatever there is to confirm about that
        call(offerApi.setStatus, { body: { uuids: [uuid], status, expected, confirm: [...ACTIVATION_WARNINGS] } })
      return { changed: (await move('paused', 'active')).changed, undo: () => move('active', 'paused') }
    }
    const { period, scope, measure, limit } = row.cap
    const give = (next: string, expected: string, offer: 'active' | 'paused') =>
      call(offerApi.setCap, { params: { uuid }, body: { period, scope, measure, limit: next, expected, ...(resume && { offer }) } })
    return { changed: (await give(said, limit, 'active')).changed, undo: () => give(limit, said, 'paused') }
  }
  if (kind === 'deliveries') {
    const body = { affiliate_uuid: row.affiliate?.uuid ?? '', delivery_uuids: [row.id] }
    return { changed: (await call(affiliatePostbackApi.replay, { body })).queued }
  }
  if (kind === 'rates') {
    const { last } = await call(rateTableApi.fetchNow, {})
    return last?.problem === '' ? { changed: 1 } : { changed: 0, stays: true }
  }
  if (kind === 'postbacks') {
    const { replayed } = await call(postbackApi.replay, { body: { direction: 'in', ids: [row.id] } })
    return { changed: replayed, stays: row.reason !== 'held_for_review' }
  }
  return { changed: 0 }
}
