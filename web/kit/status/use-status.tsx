import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import type { Option } from '#web/kit/list/filter.ts'
import { wordsOf, type HasStatus, type StatusLook, type StatusSet } from '#web/kit/status/status-look.ts'
import type { RowAction } from '#web/kit/table/column.ts'

const MOST = 1000

/**
 * What staff do with a status: `set` rows to one, each back to its own by the undo toast, and the row menu that does so.
 * Where the status asks first, both do; `set` answers false when people changed their minds.
 */
export function useStatus<Value extends string, Row extends HasStatus<Value>>(
  of: StatusSet<Value, Row>,
): {
  set: (rows: readonly Row[], status: Value) => Promise<boolean>
  actionsFor: (row: Row) => RowAction[]
} {
  const client = useQueryClient()
  const words = wordsOf(useTranslation(of.texts).t)

  const give = async (rows: readonly HasStatus<Value>[], status: Value) => {
    for (let from = 0; from < rows.length; from += MOST) {
      const uuids = rows.slice(from, from + MOST).map((row) => row.uuid)
      await call<Endpoint>(of.endpoint as Endpoint, { body: { uuids, status } }) // the parts StatusEndpoint promises
    }
  }
  const settle = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch {
      // the call has said why; some thousands may have been changed before it
    }
    await invalidate(client, of.refresh)
  }
  const set = async (rows: readonly Row[], status: Value) => {
    const changed = rows.filter((row) => row.status !== status)
    const question = of.ask?.(changed, status, words) ?? null
    if (question !== null && !(await confirm(question))) return false
    await settle(async () => {
      const count = changed.length
      await give(changed, status)
      offerUndo(words('statusChanged', { count, number: integer(count), status: words(`status.${status}`) }), () => {
        const before = Map.groupBy(changed, (row) => row.status)
        void settle(async () => {
          for (const [earlier, those] of before) await give(those, earlier)
        })
      })
    })
    return true
  }

  return {
    set,
    actionsFor: (row) =>
      of.moves
        .filter(({ to, from }) => (from === undefined ? row.status !== to : from.includes(row.status)))
        .map(({ text, to, icon: Icon, danger }) => ({
          label: words(text),
          icon: <Icon size={16} aria-hidden />,
          onClick: () => void set([row], to),
          ...(danger && { danger }),
        })),
  }
}

/** The states as options of a filter, a field or a menu. */
export function useStatusOptions<Value extends string>(of: StatusLook<Value, string>): (Option & { value: Value })[] {
  const { t } = useTranslation(of.texts)
  return useMemo(() => of.values.map((value) => ({ value, label: wordsOf(t)(`${of.field}.${value}`) })), [of, t])
}
