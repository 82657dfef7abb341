import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import type { Direction } from '#web/features/traffic/postback-log/postback-columns.tsx'
import { notify } from '#web/notify.ts'

const MOST = 1000

/** Applies postbacks of advertisers again, or sends those to affiliates again, and says how many. */
export function useReplay(direction: Direction): (ids: readonly string[]) => Promise<void> {
  const { t } = useTranslation('postbackLog')
  const client = useQueryClient()
  return async (ids) => {
    if (ids.length === 0) return notify.error(t('nothingAgain'))
    let count = 0
    try {
      for (let from = 0; from < ids.length; from += MOST)
        count += (await call(postbackApi.replay, { body: { direction, ids: ids.slice(from, from + MOST) } })).replayed
      notify.success(t(`done.${direction}`, { count, number: integer(count) }))
    } catch {
      // the call has said why; some thousands may have been done before it
    }
    await invalidate(client, [postbackApi.list, postbackApi.attempts, conversionApi.list, conversionApi.get])
  }
}
