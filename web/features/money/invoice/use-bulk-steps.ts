import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { addAmounts } from '#contract/money/amount.ts'
import { invoiceApi, type invoiceRow } from '#contract/money/invoice.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer, money } from '#web/format.ts'
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
    const others = [...Map.groupBy(rows, ({ status }) => status)].filter(([status]) => status !== from)
    const passed = others.map(([status, of]) => `${t(`status.${status}`)} ${integer(of.length)}`).join(', ')
    const text = [
      t('bulk.text', { sums: sumsOf(those) }),
      receivers([...new Set(those.map(({ affiliate }) => affiliate.name))], (count, names) =>
        count === 0 ? names : t('bulk.others', { names, number: integer(count) }),
      ),
      passed && t('bulk.passed', { statuses: passed }),
    ].filter(Boolean)
    const title = t(`${step}.many`, { count: those.length, number: integer(those.length) })
    if (!(await confirm({ title, text: text.join('\n'), action: t(step), careful: true }))) return
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

/** So many receivers are named. */
const NAMED = 6

/** Who is concerned, and of how many more. */
function receivers(names: readonly string[], say: (others: number, names: string) => string): string {
  return say(Math.max(0, names.length - NAMED), names.slice(0, NAMED).join(', '))
}

/** Sums by currency, never added across them. */
function sumsOf(rows: readonly Invoice[]): string {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, those]) => money(addAmounts(...those.map(({ total }) => total)), currency))
    .join(' · ')
}
