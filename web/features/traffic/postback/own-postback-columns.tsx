import type { TFunction } from 'i18next'
import type { z } from 'zod'
import type { ownPostback } from '#contract/traffic/postback.ts'
import { integer } from '#web/format.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import type { Column } from '#web/kit/table/column.ts'

export type OwnPostback = z.output<typeof ownPostback>

const TONES: Record<OwnPostback['status'], Tone> = { active: 'good', paused: 'muted', suspended: 'bad' }

/** The columns of an affiliate's own postbacks. */
export function ownPostbackColumns(t: TFunction<'postback'>): Column<OwnPostback>[] {
  return [
    { id: 'offer', header: t('offer'), cell: (one) => one.offer?.name ?? t('everyOffer'), width: 200, card: 'title' },
    { id: 'url', header: t('url'), cell: (one) => <CopyText text={one.url} />, width: 320, grow: true, card: 'field' },
    { id: 'goal', header: t('goal'), cell: (one) => one.goal ?? t('everyGoal'), width: 120 },
    {
      id: 'statuses',
      header: t('statuses'),
      cell: (one) => (one.statuses.length === 0 ? t('everyStatus') : one.statuses.map((status) => t(`conversion.${status}`)).join(', ')),
      width: 180,
      card: 'field',
    },
    { id: 'method', header: t('method'), cell: (one) => one.method, width: 90 },
    {
      id: 'status',
      header: t('status'),
      cell: (one) => <StatusBadge tone={TONES[one.status]} label={t(`status.${one.status}`)} />,
      width: 130,
      card: 'field',
    },
    {
      id: 'failures',
      header: t('failures'),
      hint: t('failuresHint'),
      cell: (one) => integer(one.failures),
      numeric: true,
      width: 100,
      card: 'field',
    },
  ]
}
