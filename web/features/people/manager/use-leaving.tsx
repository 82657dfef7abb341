import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import type { manager } from '#contract/people/manager.ts'
import { withinChunkTimeout } from '#web/chunk.ts'

/** What is asked about a manager who leaves. */
export type Leaver = Pick<z.output<typeof manager>, 'uuid' | 'name' | 'status' | 'affiliates' | 'advertisers' | 'team'>
type Status = Leaver['status']
type Asked = { rows: readonly Leaver[]; status: 'blocked' | 'deleted'; answer: (done: boolean) => void }

const LeaveDialog = lazy(async () => ({
  default: (await withinChunkTimeout(() => import('#web/features/people/manager/leave-dialog.tsx'))).LeaveDialog,
}))

/**
 * Gives managers a status; where they leave and somebody or something is theirs, it is asked first to whom that goes. `set`
 * answers false when people changed their minds. `dialog` belongs somewhere on the screen.
 */
export function useLeaving(give: (rows: readonly Leaver[], status: Status) => Promise<boolean>): {
  set: (rows: readonly Leaver[], status: Status) => Promise<boolean>
  dialog: ReactNode
} {
  const [asked, setAsked] = useState<Asked>()
  const close = (done: boolean) => {
    asked?.answer(done)
    setAsked(undefined)
  }
  return {
    set: (rows, status) => {
      const leaving = rows.filter((row) => row.status !== status)
      const has = leaving.some(({ affiliates, advertisers, team }) => affiliates + advertisers + team > 0)
      if (status === 'active' || !has) return give(rows, status)
      return new Promise((answer) => setAsked({ rows: leaving, status, answer }))
    },
    dialog: <Suspense>{asked && <LeaveDialog rows={asked.rows} status={asked.status} onClose={close} />}</Suspense>,
  }
}
