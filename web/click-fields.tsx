import type { Say } from '#web/i18n/use-translation.ts'
import {
  CLICK_COLUMNS,
  CLICK_DETAILS,
  DETAIL_FILTERS,
  type ClickDetail,
  type ClickText,
  type DetailFilter,
} from '#contract/traffic/click-column.ts'
import { DIMENSIONS, isFilter } from '#contract/traffic/dimension.ts'
import { UNKNOWN } from '#web/format.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { ShortText } from '#web/kit/show/short-text.tsx'
import type { Column } from '#web/kit/table/column.ts'

type Texts = { click: Say<'click'>; dimension: Say<'dimension'>; report: Say<'report'> }
type Field = ClickText | ClickDetail

/** Whether a field of a click is one nobody groups by. */
export function isDetail(id: Field): id is ClickDetail {
  return CLICK_DETAILS.some((detail) => detail === id)
}

/** What a field that clicks and their conversions show as text is called. */
export function fieldName({ click, dimension }: Pick<Texts, 'click' | 'dimension'>, id: Field): string {
  return isDetail(id) ? click(id) : dimension(id)
}

/** Columns of fields of a click, under their headings and off until somebody turns them on. */
export function fieldColumns<Row extends Readonly<Record<Id, string>>, Id extends Field>(texts: Texts, ids: readonly Id[]): Column<Row>[] {
  const { report } = texts
  return ids.map((id) => ({
    id,
    group: report(`kind.${groupOf(id)}`),
    header: fieldName(texts, id),
    cell: (row) => {
      const text: string = row[id]
      if (text === '') return UNKNOWN
      if (isDetail(id) && CLICK_COLUMNS[id].holds === 'code') return <CopyText text={text} />
      // codes the file does not know stay as they are
      return <ShortText text={CODED.has(id) ? report(`code.${text}` as 'code.hosting', { defaultValue: text }) : text} />
    },
    hidden: true,
    csv: (row) => row[id],
  }))
}

const groupOf = (id: Field) => (isDetail(id) ? CLICK_COLUMNS[id].group : DIMENSIONS[id].group)

/** Fields whose values are codes with texts. */
const CODED: ReadonlySet<Field> = new Set(['device', 'connection'])

/** Columns of sub1 to sub10, off until somebody turns them on. */
export function subColumns<Row extends { subs: string[] }>({ dimension, report }: Texts): Column<Row>[] {
  return Array.from({ length: 10 }, (_none, index) => ({
    id: `sub${index + 1}`,
    group: report('kind.sub'),
    header: dimension(`sub${index + 1}` as 'sub1'), // sub1 to sub10
    cell: ({ subs }) => (subs[index] ? <ShortText text={subs[index]} /> : UNKNOWN),
    hidden: true,
    csv: ({ subs }) => subs[index],
  }))
}

function isDetailFilter(id: string): id is DetailFilter {
  return DETAIL_FILTERS.some((detail) => detail === id)
}

/** Takes the filters by dimensions and details out of a request and puts them where it has them. */
export function dimensionsToFilters(body: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(body)
  const isOne = (key: string) => key.startsWith('_') && (isFilter(key.slice(1)) || isDetailFilter(key.slice(1)))
  return {
    ...Object.fromEntries(entries.filter(([key]) => !isOne(key))),
    filters: Object.fromEntries(entries.filter(([key]) => isOne(key)).map(([key, value]) => [key.slice(1), value])),
  }
}
