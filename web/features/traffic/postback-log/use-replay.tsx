import { List, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer, money } from '#web/format.ts'
import { postbackWords, type Direction } from '#web/features/traffic/postback-log/postback-columns.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

type Failed = { reason: string; parameter: string }

const MOST = 1000
const MOST_CONFIRMED = 200

/**
 * Applies postbacks of advertisers again, or sends those to affiliates again, and says how many. Of those that nothing
 * authorises an admin is shown what they would book, and asked.
 */
export function useReplay(direction: Direction): (ids: readonly string[]) => Promise<void> {
  const { t } = useTranslation('postbackLog')
  const { t: conversion } = useTranslation('conversion')
  const { t: shown } = useTranslation('dialect')
  const client = useQueryClient()
  const mayConfirm = useCan()('postback.confirm')

  const words = postbackWords(t)

  const sayDone = (count: number) => notify.success(t(`done.${direction}`, { count, number: integer(count) }))
  /** Why the others are as they were: each reason once, with how many it holds back. */
  const sayFailed = (failed: readonly Failed[]) => {
    const counts = new Map<string, number>()
    for (const { reason, parameter } of failed) {
      const text = words.reason(reason, parameter)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    for (const [reason, count] of counts) notify.error(t('failed', { number: integer(count), reason }))
  }
  const askToConfirm = async (ids: readonly string[], count: number) => {
    const { list } = await call(postbackApi.rehearse, { body: { ids: [...ids] } })
    const lines = list.map(({ status, currency, conversions, payout, revenue }) =>
      shown(status === 'declined' || status === 'trash' ? 'confirm.noMoney' : 'confirm.line', {
        number: integer(conversions),
        status: conversion(`status.${status}`),
        payout: money(payout, currency),
        revenue: money(revenue, currency),
      }),
    )
    const text = (
      <Stack gap={8}>
        <span>{shown('confirm.text', { count, number: integer(count) })}</span>
        {lines.length === 0 ? (
          <span>{shown('confirm.nothing')}</span>
        ) : (
          <List size="sm">
            {lines.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        )}
      </Stack>
    )
    if (!(await confirm({ title: shown('confirm.title'), text, action: shown('confirm.action'), danger: true }))) return
    const { replayed, failed } = await call(postbackApi.confirm, { body: { ids: [...ids] } })
    if (replayed > 0 || failed.length === 0) sayDone(replayed)
    sayFailed(failed)
  }

  return async (ids) => {
    if (ids.length === 0) return notify.error(t('nothingAgain'))
    let count = 0
    let unauthorized = 0
    const failed: Failed[] = []
    try {
      for (let from = 0; from < ids.length; from += MOST) {
        const done = await call(postbackApi.replay, { body: { direction, ids: ids.slice(from, from + MOST) } })
        count += done.replayed
        unauthorized += done.unauthorized
        failed.push(...done.failed)
      }
      if (count > 0 || unauthorized + failed.length === 0) sayDone(count)
      sayFailed(failed)
      if (unauthorized > 0 && mayConfirm && ids.length <= MOST_CONFIRMED) await askToConfirm(ids, unauthorized)
      else if (unauthorized > 0) notify.error(t('unauthorized', { count: unauthorized, number: integer(unauthorized) }))
    } catch {
      // the call has said why; some thousands may have been done before it
    }
    await invalidate(client, [postbackApi.list, postbackApi.attempts, conversionApi.list, conversionApi.get])
  }
}
