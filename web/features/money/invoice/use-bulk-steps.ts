import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { invoiceApi, type invoiceRow } from '#contract/money/invoice.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { notify } from '#web/notify.ts'

type Invoice = z.output<typeof invoiceRow>
const STEPS = { send: { endpoint: invoiceApi.send, from: 'draft' }, approve: { endpoint: invoiceApi.approve, from: 'waiting' } } as const

/** Takes one step with many invoices, each by itself; those that cannot take it are counted. */
export function useBulkSteps(onDone: () => void) {
  const { t } = useTranslation('invoice')
  const client = useQueryClient()
  const take = async (step: keyof typeof STEPS, rows: readonly Invoice[]) => {
    const { endpoint, from } = STEPS[step]
    const those = rows.filter(({ status }) => status === from)
    if (those.length === 0) return notify.error(t('bulk.none', { status: t(`status.${from}`) }))
    const question = { title: t(`${step}.ask`), text: t('bulk.text', { number: integer(those.length) }), action: t(step), careful: true }
    if (!(await confirm(question))) return
    let done = 0
    for (const { uuid, revision } of those) {
      try {
        await call(endpoint, { params: { uuid }, body: { revision } }, { quiet: true })
        done++
      } catch {
        // counted below
      }
    }
    await invalidate(client, [invoiceApi.list, invoiceApi.get])
    const left = those.length - done
    if (left > 0) notify.error(t('bulk.left', { number: integer(left), done: integer(done) }))
    else notify.success(t('bulk.done', { number: integer(done) }))
    onDone()
  }
  return {
    send: (rows: readonly Invoice[]) => take('send', rows),
    approve: (rows: readonly Invoice[]) => take('approve', rows),
  }
}
