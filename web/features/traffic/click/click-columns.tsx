import type { Say } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { CLICK_SORTS, type CLICK_KINDS, type click } from '#contract/traffic/click.ts'
import { CLICK_DETAILS, CLICK_TEXTS, type ClickDetail, type ClickText } from '#contract/traffic/click-column.ts'
import { fieldColumns, subColumns } from '#web/click-fields.tsx'
import { UNKNOWN } from '#web/format.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import { TagList } from '#web/kit/show/tag-list.tsx'
import type { Column } from '#web/kit/table/column.ts'

export type Click = z.output<typeof click>
type Texts = { t: Say<'click'>; dimension: Say<'dimension'>; report: Say<'report'> }

/** What became of a click, by colour. */
export const KIND_TONES: Record<(typeof CLICK_KINDS)[number], Tone> = { counted: 'good', refused: 'bad', filtered: 'muted', test: 'info' }

/** The columns of clicks; partners do not see the other side of a deal. */
export function clickColumns(texts: Texts, sides: { affiliate: boolean; advertiser: boolean }): Column<Click>[] {
  const { t, dimension, report } = texts
  const words = { click: t, dimension, report }
  const code = (id: string) => (id === '' ? UNKNOWN : report(`code.${id}` as 'code.desktop', { defaultValue: id })) // codes the file does not know stay as they are
  const shown = (['affiliate', 'advertiser'] as const).filter((side) => sides[side])
  const columns: Column<Click>[] = [
    { id: 'at', header: t('at'), cell: (one) => <Moment at={one.at} log />, whole: true, card: 'title', csv: (one) => one.at },
    {
      id: 'kind',
      header: t('kind'),
      cell: (one) => <StatusBadge tone={KIND_TONES[one.kind]} label={t(`kind.${one.kind}`)} />,
      whole: true,
      card: 'field',
      csv: (one) => one.kind,
    },
    {
      id: 'reason',
      header: dimension('reason'),
      cell: (one) => (one.reason === '' ? UNKNOWN : code(one.reason)),
      width: 130,
      wrap: true,
      card: 'field',
      csv: (one) => one.reason && code(one.reason),
    },
    {
      id: 'offer',
      group: report('kind.offer'),
      header: dimension('offer'),
      cell: (one) => nameOf(one.offer),
      width: 165,
      card: 'field',
      csv: (one) => nameOf(one.offer),
    },
    ...shown.map((side): Column<Click> => ({
      id: side,
      group: report('kind.partner'),
      header: dimension(side),
      cell: (one) => nameOf(one[side]),
      width: 145,
      card: 'field',
      hidden: side === 'advertiser',
      csv: (one) => nameOf(one[side]),
    })),
    {
      id: 'geo',
      group: report('kind.place'),
      header: dimension('geo'),
      cell: (one) => <Country code={one.geo} />,
      width: 130,
      card: 'field',
      csv: (one) => one.geo,
    },
    {
      id: 'device',
      group: report('kind.device'),
      header: dimension('device'),
      cell: (one) => code(one.device),
      width: 95,
      csv: (one) => one.device,
    },
    {
      id: 'os',
      group: report('kind.device'),
      header: dimension('os'),
      cell: (one) => one.os || UNKNOWN,
      width: 95,
      hidden: sides.affiliate,
      csv: (one) => one.os,
    },
    {
      id: 'browser',
      group: report('kind.device'),
      header: dimension('browser'),
      cell: (one) => one.browser || UNKNOWN,
      width: 120,
      hidden: sides.affiliate,
      csv: (one) => one.browser,
    },
    {
      id: 'flags',
      header: t('flags'),
      cell: (one) => <TagList tags={one.flags.map((flag) => t(`flag.${flag}` as 'flag.bot', { defaultValue: flag }))} />,
      width: 130,
      hidden: true,
      csv: (one) => one.flags.join(' '),
    },
    { id: 'click_id', header: t('clickId'), cell: (one) => copied(one.click_id), width: 110, csv: (one) => one.click_id },
    ...(['prelanding', 'landing'] as const).map((id): Column<Click> => {
      const cell = (one: Click) => nameOf(one[id])
      return { id, group: report('kind.offer'), header: dimension(id), cell, hidden: true, csv: cell }
    }),
    ...fieldColumns<Click, ClickText | ClickDetail>(words, [...CLICK_TEXTS.filter((id) => !SHOWN.has(id)), ...CLICK_DETAILS]),
    ...subColumns<Click>(words),
  ]
  return columns.map((column) => ({ group: t('one'), ...(SORTED.has(column.id) && { sort: column.id }), ...column }))
}

const SORTED: ReadonlySet<string> = new Set(CLICK_SORTS)

/** Texts with a column of their own above. */
const SHOWN: ReadonlySet<ClickText> = new Set(['geo', 'device', 'os', 'browser'])

/** A partner, offer or landing by name and number; none at all is unknown. */
export function nameOf(key: Click['affiliate']): string {
  if (key === undefined || key.id === '' || key.id === '0') return UNKNOWN
  return key.label === '' || key.label === key.id ? `#${key.id}` : `${key.label} · ${key.id}`
}

const copied = (text: string | null) => (text ? <CopyText text={text} /> : UNKNOWN)
