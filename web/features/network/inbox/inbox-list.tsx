import { Button, Group, Kbd, Skeleton, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState, type Dispatch, type KeyboardEvent, type SetStateAction } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { INBOX_MOST, inboxApi, type InboxKind, type InboxRow } from '#contract/network/inbox.ts'
import type { ScreenId } from '#contract/screens.ts'
import { call } from '#web/api/call.ts'
import { query, refetchInbox } from '#web/api/query.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { InboxEntry, useVerdictWords, VERDICTS, verdictsOf, type Verdict } from '#web/features/network/inbox/inbox-entry.tsx'
import classes from '#web/features/network/inbox/inbox.module.css'
import { integer } from '#web/format.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { notify } from '#web/notify.ts'
import { useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import type english from './inbox-row.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    inboxRow: typeof english
  }
}

const RejectDialog = lazy(async () => ({
  default: (await withinChunkTimeout(() => import('#web/features/network/inbox/reject-dialog.tsx'))).RejectDialog,
}))
const RaiseCap = lazy(async () => ({
  default: (await withinChunkTimeout(() => import('#web/features/network/inbox/raise-cap.tsx'))).RaiseCap,
}))
const loadDecisions = () => withinChunkTimeout(() => import('#web/features/network/inbox/decisions.ts'))

/** A row that was decided a moment ago: it keeps its place for a while, says what was done, and takes it back. */
export type Decided = { kind: InboxKind; row: InboxRow; said: string; undo?: () => Promise<{ changed: number }> }

type InboxListProps = { kind: InboxKind; decided: readonly Decided[]; setDecided: Dispatch<SetStateAction<readonly Decided[]>> }

/** They are rejected in a dialog, which asks for the reason. */
const ASKED: readonly InboxKind[] = ['access', 'affiliates', 'landings', 'conversions', 'leads']
/** So many are shown at first: the figures of the day stand beneath. */
const FIRST = 5
const READ = 10

/** The list that holds all of a kind, where there is one. */
const ALL: Partial<Record<InboxKind, { screen: ScreenId; search: string }>> = {
  affiliates: { screen: 'affiliates', search: '?status=moderation' },
  landings: { screen: 'landings', search: '?status=moderation' },
  conversions: { screen: 'statisticDirectConversion', search: '?status=pending' },
  deliveries: { screen: 'statisticPostbacks', search: '?tab=out&outcome=dead' },
  postbacks: { screen: 'statisticPostbacks', search: '?outcome=needs_mapping' },
  leads: { screen: 'statisticApiUserSession', search: '?status=held' },
  sends: { screen: 'statisticApiUserSession', search: '?tab=unclear' },
  stuck: { screen: 'statisticApiUserSession', search: '?tab=stuck' },
  tickets: { screen: 'tickets', search: '?status=waiting_us' },
  referrals: { screen: 'billing', search: '?view=referrals&state=held' },
}

/** The first of one kind that wait, and all on request: walked by ↑ ↓, decided by A and R, opened by Enter. */
export function InboxList({ kind, decided, setDecided }: InboxListProps) {
  const { t } = useTranslation('inboxRow')
  const { t: card } = useTranslation('inbox')
  const client = useQueryClient()
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState<string>()
  const [whole, setWhole] = useState(false)
  /** The order the rows stood in when one of them was decided. */
  const [places, setPlaces] = useState<readonly string[]>([])
  const [rejecting, setRejecting] = useState<InboxRow>()
  const [raising, setRaising] = useState<string>()
  const asked = query(inboxApi.list, { body: { kind, count: whole ? INBOX_MOST : READ } }, { quiet: true })
  const found = useQuery({
    ...asked,
    queryFn: async ({ signal }) => {
      // the words of rows come with the first of them; why something is stuck is said in those of its desk
      const texts = [loadLateTexts('inboxRow'), ...(kind === 'stuck' ? [loadLateTexts('stuck')] : [])]
      return (await Promise.all([call(inboxApi.list, asked.queryKey[1], { signal, quiet: true }), ...texts]))[0]
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  const words = useVerdictWords(kind)
  const doneOf = (id: string) => decided.find((one) => one.row.id === id)
  const all = inPlace(found.data?.list ?? [], decided, places)
  const waiting = all.filter(({ id }) => doneOf(id) === undefined)
  const open = whole ? waiting : waiting.slice(0, FIRST)
  const rows = all.filter((row) => open.includes(row) || doneOf(row.id) !== undefined)
  const current = open.find(({ id }) => id === at) ?? open[0]
  const focus = (row: InboxRow | undefined) =>
    row && list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.id)}"] [data-open]`)?.focus()

  const drop = (id: string) => setDecided((those) => those.filter((one) => one.kind !== kind || one.row.id !== id))
  const decide = async (row: InboxRow, verdict: Verdict, text = '', resume = false) => {
    const place = open.indexOf(row)
    const kept = { kind, row, said: words.said(row, verdict, text, resume) }
    setPlaces(all.map(({ id }) => id))
    setDecided((those) => [...those, kept])
    focus(open[place + 1] ?? open[place - 1])
    try {
      const { changed, undo, stays, heldUntil } = await (await loadDecisions()).decideRow(kind, verdict, row, text, resume)
      if (changed === 0) {
        drop(row.id)
        notify.error(t(stays ? (kind === 'rates' ? 'rates' : 'stillRefused') : 'decidedMeanwhile'))
      } else
        setDecided((those) =>
          those.map((one) => (one === kept ? { ...kept, undo, said: heldUntil ? words.held(row, heldUntil) : kept.said } : one)),
        )
    } catch {
      // the call has said why
      drop(row.id)
    }
    await refetchInbox(client)
  }
  const takeBack = async (row: InboxRow, undo: () => Promise<{ changed: number }>) => {
    try {
      if ((await undo()).changed === 0) notify.error(t('notUndone'))
    } catch {
      // the call has said why
    }
    await refetchInbox(client)
    flushSync(() => drop(row.id))
    focus(row)
  }
  const give = (row: InboxRow, verdict: Verdict) => {
    if (!verdictsOf(kind, row).includes(verdict)) return
    if (kind === 'caps' && verdict === 'approve') return setRaising(row.id)
    if (verdict === 'reject' && ASKED.includes(kind)) setRejecting(row)
    else void decide(row, verdict)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || current === undefined) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const verdict = { KeyA: 'approve', KeyR: 'reject' }[event.code]
    if (step !== undefined) focus(open[open.indexOf(current) + step])
    else if (event.code === 'KeyM' && kind === 'postbacks')
      list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(current.id)}"] [data-map]`)?.click()
    else if (verdict === 'approve' || verdict === 'reject') give(current, verdict)
    else return
    event.preventDefault()
  }

  if (found.error && found.data === undefined)
    return <ErrorState what={card('failed')} error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Skeleton height={88} radius="md" />
  return (
    <>
      {/* the keys are those of its links, wherever in the list the focus is */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul ref={list} className={classes.list} aria-label={card(`kind.${kind}`)} onKeyDown={onKeyDown}>
        {rows.map((row) => {
          const done = doneOf(row.id)
          return done ? (
            <DecidedEntry key={row.id} said={done.said} onUndo={done.undo && (() => void takeBack(row, done.undo!))} />
          ) : (
            <InboxEntry
              key={row.id}
              kind={kind}
              row={row}
              reached={row === current}
              onReach={() => setAt(row.id)}
              onVerdict={(verdict) => give(row, verdict)}
              asking={
                raising === row.id &&
                row.cap !== null && (
                  <Suspense>
                    <RaiseCap
                      cap={row.cap}
                      offer={row.offer?.name ?? ''}
                      onClose={() => {
                        flushSync(() => setRaising(undefined))
                        focus(row)
                      }}
                      onRaise={(limit, resume) => {
                        setRaising(undefined)
                        void decide(row, 'approve', limit, resume)
                      }}
                    />
                  </Suspense>
                )
              }
            />
          )
        })}
      </ul>
      <Foot kind={kind} shown={open.length} of={found.data.rows} whole={whole} onWhole={setWhole} />
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

/** A row that was decided a moment ago, in its place. The second click of a double click takes nothing back. */
function DecidedEntry({ said, onUndo }: { said: string; onUndo: (() => void) | undefined }) {
  const { t } = useTranslation('kit')
  return (
    <li className={classes.entry} data-decided>
      <span className={classes.said}>{said}</span>
      <span className={classes.verdicts}>
        {onUndo && (
          <Button
            size="compact-sm"
            variant="default"
            className={classes.verdict}
            aria-label={`${t('undo')}: ${said}`}
            onClick={({ detail }) => detail < 2 && onUndo()}
          >
            {t('undo')}
          </Button>
        )}
      </span>
    </li>
  )
}

/** How many of how many are shown, the way to all of them, and the keys of this kind. */
function Foot({
  kind,
  shown,
  of,
  whole,
  onWhole,
}: {
  kind: InboxKind
  shown: number
  of: number
  whole: boolean
  onWhole: (whole: boolean) => void
}) {
  const { t } = useTranslation('inboxRow')
  const screens = useScreens()
  const { labels } = useVerdictWords(kind)
  const all = ALL[kind]
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <Text component="span" fz={13} c="dimmed">
          {t('shown', { shown: integer(shown), of: integer(of) })}
        </Text>
        {(whole ? of > FIRST : of > shown) && (
          <Button variant="default" size="xs" className={classes.more} onClick={() => onWhole(!whole)}>
            {whole ? t('fewer') : t(of > INBOX_MOST ? 'most' : 'all', { number: integer(Math.min(of, INBOX_MOST)) })}
          </Button>
        )}
        {all && of > shown && screens.has(all.screen) && (
          <Button component={ScreenLink} to={all.screen} search={all.search} variant="subtle" size="xs" className={classes.more}>
            {t('list')}
          </Button>
        )}
      </Group>
      <Text component="span" visibleFrom="md" fz={12.5} c="dimmed">
        <Kbd size="xs">
          <IconArrowUp size={10} aria-label="↑" />
        </Kbd>{' '}
        <Kbd size="xs">
          <IconArrowDown size={10} aria-label="↓" />
        </Kbd>{' '}
        {t('hint.walk')} ·{' '}
        {kind === 'postbacks' && (
          <span>
            <Kbd size="xs">M</Kbd> {t('map')} ·{' '}
          </span>
        )}
        {VERDICTS[kind].map((verdict) => (
          <span key={verdict}>
            <Kbd size="xs">{verdict === 'approve' ? 'A' : 'R'}</Kbd> {labels[verdict]} ·{' '}
          </span>
        ))}
        <Kbd size="xs">Enter</Kbd> {t('hint.open')}
      </Text>
    </Group>
  )
}

/** What waits with what was decided a moment ago, in the order it stood; what has come since stands at the end. */
function inPlace(fresh: readonly InboxRow[], decided: readonly Decided[], places: readonly string[]): InboxRow[] {
  if (decided.length === 0) return [...fresh]
  const rows = new Map([...fresh, ...decided.map(({ row }) => row)].map((row) => [row.id, row]))
  const stood = places.flatMap((id) => rows.get(id) ?? [])
  return [...stood, ...rows.values().filter(({ id }) => !places.includes(id))]
}
