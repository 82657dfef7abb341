import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import type { Option } from '#web/kit/list/filter.ts'
import { wordsOf, type HasStatus, type StatusEndpoint, type StatusLook, type StatusSet } from '#web/kit/status/status-look.ts'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'

const MOST = 1000

/**
 * What staff do with a status: `set` rows to one, each back to its own by the undo toast, and the row menu that does so; `more` is sent with it.
 * Either way rows that somebody else moved meanwhile keep their status, and people are told how many.
 * Where the status asks first, both do; `set` answers false when people changed their minds.
 */
export function useStatus<Value extends string, Row extends HasStatus<Value>>(
  of: StatusSet<Value, Row>,
): {
  set: (rows: readonly Row[], status: Value, more?: Record<string, unknown>) => Promise<boolean>
  actionsFor: (row: Row) => RowAction[]
} {
  const client = useQueryClient()
  const words = wordsOf(useTranslation(of.texts).t)
  const { t } = useTranslation('kit')

  /** Gives rows that stand at `expected` a status; answers how many others there were. */
  const give = (rows: readonly HasStatus<Value>[], status: Value, expected: Value, more?: Record<string, unknown>) =>
    send(of.endpoint, rows, { ...more, status, expected })
  /** Gives each the status of its row back, where it still stands at the other; answers how many do not. */
  const takeBack = async (rows: readonly HasStatus<Value>[], status: Value) => {
    // one call for all: the server knows what each was
    if (of.undo !== undefined) return send(of.undo, rows, { status })
    let left = 0
    for (const [earlier, those] of Map.groupBy(rows, (row) => row.status)) left += await give(those, earlier, status)
    return left
  }
  const send = async (endpoint: StatusEndpoint<Value>, rows: readonly HasStatus<Value>[], change: { status: Value; expected?: Value }) => {
    let left = rows.length
    for (let from = 0; from < rows.length; from += MOST) {
      const uuids = rows.slice(from, from + MOST).map((row) => row.uuid)
      left -= (await call<StatusEndpoint<Value>>(endpoint, { body: { uuids, ...change } })).changed
    }
    return left
  }
  const tellLeft = (left: number) => {
    if (left > 0) notify.error(t('status.changedMeanwhile', { number: integer(left) }))
  }
  const settle = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch {
      // the call has said why; some thousands may have been changed before it
    }
    await invalidate(client, of.refresh)
  }
  const set = async (rows: readonly Row[], status: Value, more?: Record<string, unknown>) => {
    const changed = rows.filter((row) => row.status !== status)
    const question = of.ask?.(changed, status, words) ?? null
    if (question !== null && !(await confirm(question))) return false
    // shown at once; `settle` asks the server, and what it refused or others moved meanwhile stands again as it is
    showStatuses(client, of.refresh, new Map(changed.map((row) => [row.uuid, status])))
    await settle(async () => {
      const before = Map.groupBy(changed, (row) => row.status)
      let left = 0
      for (const [earlier, those] of before) left += await give(those, status, earlier, more)
      tellLeft(left)
      const count = changed.length - left
      if (count === 0) return
      const done = words('statusChanged', { count, number: integer(count), status: words(`status.${status}`) })
      if ([...before.keys()].some((earlier) => of.mayReturn?.(earlier, status) === false)) return notify.success(done)
      offerUndo(done, () => {
        showStatuses(client, of.refresh, new Map(changed.map((row) => [row.uuid, row.status])))
        void settle(async () => {
          tellLeft((await takeBack(changed, status)) - left)
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
          id: text,
          label: words(text),
          icon: <Icon size={16} aria-hidden />,
          onClick: () => void set([row], to),
          ...(danger && { danger }),
        })),
  }
}

/**
 * Shows statuses, by uuid, in what these endpoints answered, before the server has said yes: ask them again in any case (`invalidate`),
 * so that what was refused stands as it is. Rows a filter would leave out stay until then.
 */
export function showStatuses(client: QueryClient, endpoints: readonly Endpoint[], statuses: ReadonlyMap<string, string>): void {
  for (const { path } of endpoints) {
    void client.cancelQueries({ queryKey: [path] })
    client.setQueriesData<unknown>({ queryKey: [path] }, (answer: unknown) => withStatuses(answer, statuses))
  }
}

/** An answer of a list, or of one thing, with the statuses of those it holds. */
function withStatuses(answer: unknown, statuses: ReadonlyMap<string, string>): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  if ('list' in answer && Array.isArray(answer.list)) return { ...answer, list: answer.list.map((row) => withStatuses(row, statuses)) }
  if (!('uuid' in answer) || typeof answer.uuid !== 'string' || !('status' in answer)) return answer
  const status = statuses.get(answer.uuid)
  return status === undefined ? answer : { ...answer, status }
}

/** The states as options of a filter, a field or a menu. */
export function useStatusOptions<Value extends string>(of: StatusLook<Value, string>): (Option & { value: Value })[] {
  const { t } = useTranslation(of.texts)
  return useMemo(() => of.values.map((value) => ({ value, label: wordsOf(t)(`${of.field}.${value}`) })), [of, t])
}
