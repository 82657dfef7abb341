import { Button, Group, Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { inboxApi, type InboxKind, type InboxRow } from '#contract/network/inbox.ts'
import type { ScreenId } from '#contract/screens.ts'
import { query, refetchInbox } from '#web/api/query.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { InboxEntry, VERDICTS, type Verdict } from '#web/features/network/inbox/inbox-entry.tsx'
import classes from '#web/features/network/inbox/inbox.module.css'
import { integer } from '#web/format.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import { notify } from '#web/notify.ts'
import { useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

const RejectDialog = lazy(async () => ({
  default: (await withinChunkTimeout(() => import('#web/features/network/inbox/reject-dialog.tsx'))).RejectDialog,
}))
const loadDecisions = () => withinChunkTimeout(() => import('#web/features/network/inbox/decisions.ts'))

/** A row that has just been decided, and where it stood: the focus goes to the one that takes its place. */
export type Walk = { id: string; place: number }
/** They are rejected in a dialog, which asks for the reason. */
const ASKED: readonly InboxKind[] = ['access', 'landings', 'conversions']

/** The list that holds all of a kind, where there is one. */
const ALL: Partial<Record<InboxKind, { screen: ScreenId; search: string }>> = {
  affiliates: { screen: 'affiliates', search: '?status=moderation' },
  landings: { screen: 'landings', search: '?status=moderation' },
  conversions: { screen: 'statisticDirectConversion', search: '?status=pending' },
  deliveries: { screen: 'statisticPostbacks', search: '?tab=out&outcome=dead' },
  postbacks: { screen: 'statisticPostbacks', search: '?outcome=needs_mapping' },
}

/** The first of one kind that wait: walked by ↑ ↓, decided by A and R, opened by Enter. */
export function InboxList({ kind, walkRef }: { kind: InboxKind; walkRef: RefObject<Walk | null> }) {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  const screens = useScreens()
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  const [gone, setGone] = useState<readonly string[]>([])
  const [rejecting, setRejecting] = useState<InboxRow>()
  const found = useQuery({ ...query(inboxApi.list, { body: { kind } }, { quiet: true }), refetchInterval: 60_000 })
  const rows = (found.data?.list ?? []).filter(({ id }) => !gone.includes(id))
  const current = Math.min(at, rows.length - 1)
  const focus = (place: number) => list.current?.querySelectorAll<HTMLElement>('[data-open]')[place]?.focus()

  // after a decision the next one has the focus, once the decided one has left
  useEffect(() => {
    const left = walkRef.current
    if (left === null || rows.length === 0 || rows.some(({ id }) => id === left.id)) return
    walkRef.current = null
    focus(Math.min(left.place, rows.length - 1))
  })

  const refresh = async (id: string) => {
    await refetchInbox(client)
    setGone((ids) => ids.filter((one) => one !== id))
  }
  const decide = async (row: InboxRow, verdict: Verdict, reason = '') => {
    walkRef.current = { id: row.id, place: rows.indexOf(row) }
    setGone((ids) => [...ids, row.id])
    try {
      const { changed, undo, stays } = await (await loadDecisions()).decideRow(kind, verdict, row, reason)
      if (changed === 0) notify.error(t(stays ? 'stillRefused' : 'decidedMeanwhile'))
      else {
        // only kinds that can be rejected come with that verdict
        const done = t(`done.${kind}.${verdict}` as 'done.access.approve')
        if (undo === undefined) notify.success(done)
        else offerUndo(done, () => void takeBack(row, undo))
      }
    } catch {
      // the call has said why
    }
    await refresh(row.id)
  }
  const takeBack = async (row: InboxRow, undo: () => Promise<{ changed: number }>) => {
    try {
      if ((await undo()).changed === 0) notify.error(t('notUndone'))
    } catch {
      // the call has said why
    }
    await refresh(row.id)
  }
  const give = (row: InboxRow, verdict: Verdict) => {
    if (!VERDICTS[kind].includes(verdict)) return
    if (verdict === 'reject' && ASKED.includes(kind)) setRejecting(row)
    else void decide(row, verdict)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[current]
    if (event.ctrlKey || event.metaKey || event.altKey || row === undefined) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const verdict = { KeyA: 'approve', KeyR: 'reject' }[event.code]
    if (step !== undefined) focus(Math.max(0, Math.min(rows.length - 1, current + step)))
    else if (verdict === 'approve' || verdict === 'reject') give(row, verdict)
    else return
    event.preventDefault()
  }

  if (found.error && found.data === undefined)
    return <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Skeleton height={88} radius="md" />
  const all = ALL[kind]
  return (
    <>
      {/* the keys are those of its links, wherever in the list the focus is */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul ref={list} className={classes.list} aria-label={t(`kind.${kind}`)} onKeyDown={onKeyDown}>
        {rows.map((row, place) => (
          <InboxEntry
            key={row.id}
            kind={kind}
            row={row}
            reached={place === current}
            onReach={() => setAt(place)}
            onVerdict={(verdict) => give(row, verdict)}
          />
        ))}
      </ul>
      {all && screens.has(all.screen) && found.data.rows > found.data.list.length && (
        <Group>
          <Button component={ScreenLink} to={all.screen} search={all.search} variant="default" size="xs">
            {t('all', { number: integer(found.data.rows) })}
          </Button>
        </Group>
      )}
      {rejecting && (
        <Suspense>
          <RejectDialog
            kind={kind}
            row={rejecting}
            onClose={() => setRejecting(undefined)}
            onReject={(reason) => {
              setRejecting(undefined)
              void decide(rejecting, 'reject', reason)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
