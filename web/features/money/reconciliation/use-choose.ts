import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { SHOW_BATCH } from '#web/features/money/reconciliation/reconciliation-words.ts'
import { notify } from '#web/notify.ts'

export type Choice = 'proposal' | 'approve' | 'decline' | 'correct' | 'create' | 'none'

/** So many rows are said at once. */
const MOST = 1000

/** Says what is done about rows, and how many it could not be said of. */
export function useChoose({ uuid, revision }: Reconciliation) {
  const { t } = useTranslation('reconciliation')
  const client = useQueryClient()
  return async (rows: readonly number[], action: Choice) => {
    let [seen, changed, left] = [revision, 0, 0]
    try {
      for (let from = 0; from < rows.length; from += MOST) {
        const body = { revision: seen, rows: rows.slice(from, from + MOST), action }
        const answer = await call(reconciliationApi.choose, { params: { uuid }, body })
        seen = answer.revision
        changed += answer.changed
        left += answer.left
      }
    } catch {
      // the call has said what went wrong
    }
    await invalidate(client, SHOW_BATCH)
    if (changed > 0) notify.success(t('chosen', { count: changed, number: integer(changed) }))
    if (left > 0) notify.error(t('chosen.left', { count: left, number: integer(left) }))
  }
}
