import { useQueryClient } from '@tanstack/react-query'
import type { Say } from '#web/i18n/use-translation.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { offerApi } from '#contract/offers/offer.ts'
import type { OfferStatus } from '#contract/offers/offer-fields.ts'
import { CallError } from '#web/api/call-error.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { confirmDoubts, doubtsIn } from '#web/features/offers/offer/offer-doubts.tsx'
import { integer } from '#web/format.ts'
import { fieldText } from '#web/i18n/language.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { showStatuses } from '#web/kit/status/use-status.tsx'
import { notify } from '#web/notify.ts'

const MOST = 1000
const OFFER_ANSWERS = [offerApi.list, offerApi.get]

/** Moves offers to a status and says which could not go there and why; answers whether any went. Moves without a way back ask first. */
export function useOfferStatus(): (offers: readonly { uuid: string; title: string }[], status: OfferStatus) => Promise<boolean> {
  const { t } = useTranslation('offer')
  const client = useQueryClient()
  return async (offers, status) => {
    if (offers.length === 0) return false
    let changed = 0
    if (status === 'stopped' || status === 'archived') {
      const texts = { title: t(`move.${status}.title`, { count: offers.length, name: offers[0]?.title }), text: t(`move.${status}.text`) }
      if (!(await confirm({ ...texts, action: t(`move.${status}`), danger: true }))) return false
    }
    showStatuses(client, OFFER_ANSWERS, new Map(offers.map(({ uuid }) => [uuid, status])))
    try {
      const refused: string[] = []
      for (let from = 0; from < offers.length; from += MOST) {
        const uuids = offers.slice(from, from + MOST).map(({ uuid }) => uuid)
        const answer = await move(t, uuids, status, namesOf(offers), () => invalidate(client, OFFER_ANSWERS))
        if (answer === undefined) return changed > 0
        changed += answer.changed
        refused.push(...answer.refused.map(({ id, name, reason }) => `${id} ${name}: ${reason}`))
      }
      if (changed > 0) notify.success(t('moved', { count: changed, number: integer(changed), status: t(`status.${status}`) }))
      if (refused.length > 0) notify.error(t('refused', { count: refused.length, number: integer(refused.length), list: listed(refused) }))
    } catch {
      // the call has said why
    }
    await invalidate(client, [...OFFER_ANSWERS, offerApi.history])
    return changed > 0
  }
}

/** Moves offers; one that looks like a mistake is asked about first, shown as it still is (`back`). Undefined where people would rather mend it. */
async function move(t: Say<'offer'>, uuids: string[], status: OfferStatus, names: string, back: () => Promise<void>) {
  try {
    return await call(offerApi.setStatus, { body: { uuids, status } }, { form: true })
  } catch (error) {
    const doubts = doubtsIn(error)
    if (doubts.length === 0) {
      const fields = error instanceof CallError ? Object.values(error.fields) : []
      // there is no form to say it
      if (fields.length > 0) notify.error(fields.map(fieldText).join('; '))
      throw error
    }
    await back()
    if (!(await confirmDoubts(t, doubts, 'activate', names))) return undefined
    return call(offerApi.setStatus, { body: { uuids, status, confirm: doubts } })
  }
}

/** The first of some offers by name. */
function namesOf(offers: readonly { title: string }[]): string {
  const names = offers.slice(0, 3).map(({ title }) => title)
  return names.join(', ') + (offers.length > 3 ? ' …' : '')
}

/** A notification holds a few lines, not a thousand. */
function listed(lines: readonly string[]): string {
  return lines.length <= 3 ? lines.join('; ') : `${lines.slice(0, 3).join('; ')} …`
}
