import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'

/** An endpoint that gives up to 1,000 rows one status. */
type StatusEndpoint<Status extends string> = Endpoint<
  z.ZodType,
  z.ZodType,
  z.ZodType<unknown, { uuids: string[]; status: Status }>,
  z.ZodType
>

const MOST = 1000

/**
 * Gives rows a status and offers to take it back, each to the status it had before. `said` is the sentence that tells
 * what was done; `refresh` names what shows these rows. Works with whatever rows `list.chosen()` answers.
 */
export function useStatusChange<Status extends string>(
  endpoint: StatusEndpoint<Status>,
  { refresh, said }: { refresh: readonly Endpoint[]; said: (count: number, status: Status) => string },
): (rows: readonly { uuid: string; status: Status }[], status: Status) => Promise<void> {
  const client = useQueryClient()
  const latest = useRef({ refresh, said })
  latest.current = { refresh, said }

  const set = async (uuids: readonly string[], status: Status) => {
    for (let from = 0; from < uuids.length; from += MOST) {
      await call<Endpoint>(endpoint as Endpoint, { body: { uuids: uuids.slice(from, from + MOST), status } }) // the parts StatusEndpoint promises
    }
  }
  const settle = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch {
      // the call has said why; some thousands may have been changed before it
    }
    await invalidate(client, latest.current.refresh)
  }

  return (rows, status) =>
    settle(async () => {
      const changed = rows.filter((row) => row.status !== status)
      await set(uuidsOf(changed), status)
      offerUndo(latest.current.said(changed.length, status), () => {
        const before = Map.groupBy(changed, (row) => row.status)
        void settle(async () => {
          for (const [earlier, those] of before) await set(uuidsOf(those), earlier)
        })
      })
    })
}

function uuidsOf(rows: readonly { uuid: string }[]): string[] {
  return rows.map((row) => row.uuid)
}
