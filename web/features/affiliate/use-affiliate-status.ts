import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { affiliateApi, type affiliateStatus } from '#contract/affiliate.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import { integer } from '#web/format.ts'

export type AffiliateStatus = z.output<typeof affiliateStatus>
type Changed = { uuid: string; status: AffiliateStatus }

/** The server takes this many at once. */
const MOST = 1000

/** Gives affiliates a status and offers to take it back, each to the status it had before. */
export function useAffiliateStatus(): (affiliates: readonly Changed[], status: AffiliateStatus) => Promise<void> {
  const { t } = useTranslation('affiliate')
  const client = useQueryClient()

  const set = async (uuids: readonly string[], status: AffiliateStatus) => {
    for (let from = 0; from < uuids.length; from += MOST)
      await call(affiliateApi.setStatus, { body: { uuids: uuids.slice(from, from + MOST), status } })
  }
  const refresh = () => invalidate(client, [affiliateApi.list, affiliateApi.get])

  return async (affiliates, status) => {
    const changed = affiliates.filter((affiliate) => affiliate.status !== status)
    try {
      await set(
        changed.map((affiliate) => affiliate.uuid),
        status,
      )
      offerUndo(
        t('statusChanged', { count: changed.length, number: integer(changed.length), status: t(`status.${status}`) }),
        () => void takeBack(changed),
      )
    } catch {
      // the call has said why; some thousands may have been changed before it
    }
    await refresh()
  }

  async function takeBack(changed: readonly Changed[]): Promise<void> {
    const before = Map.groupBy(changed, (affiliate) => affiliate.status)
    try {
      for (const [status, affiliates] of before)
        await set(
          affiliates.map((affiliate) => affiliate.uuid),
          status,
        )
    } catch {
      // the call has said why
    }
    await refresh()
  }
}
