import { Anchor } from '@mantine/core'
import type { Say } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { postbackLogFilters, type DELIVERY_STATES, type postbackLogRow } from '#contract/traffic/postback.ts'
import type { POSTBACK_OUTCOMES } from '#contract/traffic/postback-outcome.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

export type PostbackRow = z.output<typeof postbackLogRow>
export type Direction = PostbackRow['direction']
type Outcome = (typeof POSTBACK_OUTCOMES)[number] | (typeof DELIVERY_STATES)[number] | 'needs_mapping'
type Texts = { t: Say<'postbackLog'>; dimension: Say<'dimension'>; delivery: (error: string) => string }

const TONES: Record<Outcome, Tone> = {
  created: 'good',
  changed: 'good',
  amount_changed: 'good',
  declined: 'bad',
  repeat: 'muted',
  refused: 'bad',
  needs_mapping: 'waiting',
  waiting: 'waiting',
  unmatched: 'bad',
  held_for_review: 'waiting',
  test: 'info',
  queued: 'waiting',
  sent: 'good',
  dead: 'bad',
  held: 'muted',
}

/** What became of a postback, as a badge. */
export function OutcomeBadge({ outcome, label }: { outcome: string; label: string }) {
  const known = outcome in TONES ? TONES[outcome as Outcome] : 'muted' // `in` does not narrow a string
  return <StatusBadge tone={known} label={label} />
}

/** What an outcome and a reason are called; codes the file does not know stay as they are. */
export function postbackWords(t: Say<'postbackLog'>) {
  return {
    outcome: (outcome: string) => t(`outcome.${outcome}` as 'outcome.created', { defaultValue: outcome }),
    reason: (reason: string, parameter = '', detail = '') => {
      if (reason === '') return UNKNOWN
      const sentence = t(`reason.${reason}` as 'reason.click_id_missing', { defaultValue: reason })
      if (detail !== '') return t('reasonOf', { reason: sentence, detail })
      return parameter === '' ? sentence : t('reasonAt', { parameter, reason: sentence })
    },
  }
}

/** What a row shows for its outcome: what a mapping would mend stands out among the refused. */
export function outcomeOf({ outcome, needs_mapping }: PostbackRow): string {
  return needs_mapping ? 'needs_mapping' : outcome
}

/** The columns of postbacks of one direction. */
export function postbackColumns({ t, dimension, delivery }: Texts, direction: Direction): Column<PostbackRow>[] {
  const words = postbackWords(t)
  const columns: Column<PostbackRow>[] = [
    { id: 'at', header: t('at'), cell: (row) => <Moment at={row.at} log />, whole: true, card: 'title', csv: (row) => row.at },
    {
      id: 'outcome',
      header: t('outcome'),
      cell: (row) => <OutcomeBadge outcome={outcomeOf(row)} label={words.outcome(outcomeOf(row))} />,
      whole: true,
      card: 'field',
      csv: outcomeOf,
    },
    {
      id: 'reason',
      header: t('reason'),
      cell: (row) => (direction === 'in' ? words.reason(row.reason, row.parameter, row.detail) : delivery(row.reason) || UNKNOWN),
      width: 160,
      wrap: true,
      card: 'field',
      csv: (row) => row.reason,
    },
    ...(direction === 'in' ? [parameter(t)] : []),
    {
      id: 'http_status',
      header: t('httpStatus'),
      cell: (row) => row.http_status ?? UNKNOWN,
      numeric: true,
      csv: (row) => row.http_status,
    },
    ...(direction === 'out' ? tries(t) : []),
    {
      id: 'offer',
      header: dimension('offer'),
      cell: (row) => <Clipped text={nameOf(row.offer)} />,
      width: 190,
      card: 'field',
      csv: (row) => nameOf(row.offer),
    },
    { id: 'goal', header: dimension('goal'), cell: (row) => row.goal || UNKNOWN, width: 88, csv: (row) => row.goal },
    {
      id: 'affiliate',
      header: dimension('affiliate'),
      cell: (row) => <Clipped text={nameOf(row.affiliate)} />,
      width: 150,
      card: 'field',
      csv: (row) => nameOf(row.affiliate),
    },
    {
      id: 'advertiser',
      header: dimension('advertiser'),
      cell: (row) => <Clipped text={nameOf(row.advertiser)} />,
      width: 150,
      hidden: true,
      csv: (row) => nameOf(row.advertiser),
    },
    {
      id: 'conversion',
      header: t('conversion'),
      cell: ({ conversion }) =>
        conversion === null ? (
          UNKNOWN
        ) : (
          <Anchor component={ScreenLink} to="statisticConversionDetail" params={{ uuid: conversion.uuid }} fw={550} c="inherit">
            {conversion.id}
          </Anchor>
        ),
      whole: true,
      csv: ({ conversion }) => conversion?.id,
    },
    { id: 'click_id', header: t('clickId'), cell: (row) => copied(row.click_id), width: 150, hidden: true, csv: (row) => row.click_id },
    {
      id: 'transaction_id',
      header: t('transactionId'),
      cell: (row) => copied(row.transaction_id),
      width: 150,
      hidden: true,
      csv: (row) => row.transaction_id,
    },
    {
      id: 'address',
      header: t('address'),
      cell: (row) => <Clipped text={row.address} />,
      width: 240,
      hidden: true,
      csv: (row) => row.address,
    },
    { id: 'ip', header: t('ip'), cell: (row) => copied(row.ip), whole: true, hidden: true, csv: (row) => row.ip },
  ]
  return columns.map((column) => (SORTED.has(column.id) ? { sort: column.id, ...column } : column))
}

const SORTED: ReadonlySet<string> = new Set(postbackLogFilters.shape.sort.unwrap().options)

function parameter(t: Say<'postbackLog'>): Column<PostbackRow> {
  return {
    id: 'parameter',
    header: t('parameter'),
    cell: (row) => row.parameter || UNKNOWN,
    width: 130,
    hidden: true,
    csv: (row) => row.parameter,
  }
}

function tries(t: Say<'postbackLog'>): Column<PostbackRow>[] {
  return [
    { id: 'tries', header: t('tries'), cell: (row) => integer(row.tries), numeric: true, csv: (row) => row.tries },
    {
      id: 'next_try_at',
      header: t('nextTry'),
      cell: (row) => <Moment at={row.next_try_at} log />,
      whole: true,
      hidden: true,
      csv: (row) => row.next_try_at,
    },
  ]
}

/** One line of what strangers sent; plain text, all of it on hover. */
function Clipped({ text }: { text: string }) {
  return (
    <span className="ohma-clip" title={text}>
      {text || UNKNOWN}
    </span>
  )
}

function nameOf(one: PostbackRow['offer']): string {
  if (one === null) return UNKNOWN
  return one.name === '' ? `#${one.id}` : `${one.name} · ${one.id}`
}

const copied = (text: string) => (text === '' ? UNKNOWN : <CopyText text={text} />)
