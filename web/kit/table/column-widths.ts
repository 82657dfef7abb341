import type { Column } from '#web/kit/table/column.ts'

/** What one column's widest cell and its header need, in pixels with the space around them. */
export type Natural = { content: number; header: number }

const DECLARED = 120
/** A text longer than this is not given room before the others have theirs. */
const LONG = 640
/** As narrow as people may drag a column whose texts can be cut. */
export const NARROWEST = 56

type Sized = Pick<Column<never>, 'id' | 'numeric' | 'whole' | 'width'>

/**
 * The widths of columns in `room` pixels, by id. Figures and whatever else is never cut take what they hold, headers too; texts keep
 * their declared width and share what is left: who lacks least is filled first. Where the room does not do, the sum is wider than it,
 * and the table scrolls. `dragged` are widths people chose.
 */
export function columnWidths(
  columns: readonly Sized[],
  natural: ReadonlyMap<string, Natural>,
  dragged: Readonly<Record<string, number>>,
  room: number,
): Record<string, number> {
  const texts: { id: string; width: number; full: number }[] = []
  const widths: Record<string, number> = {}
  for (const column of columns) {
    const declared = column.width ?? DECLARED
    const { content, header } = natural.get(column.id) ?? { content: declared, header: 0 }
    const chosen = dragged[column.id]
    const whole = column.numeric || column.whole
    if (whole) widths[column.id] = Math.max(content, chosen ?? 0)
    else if (chosen !== undefined) widths[column.id] = Math.max(NARROWEST, chosen)
    else {
      widths[column.id] = Math.max(header, Math.min(declared, content))
      texts.push({ id: column.id, width: widths[column.id] ?? 0, full: Math.max(header, Math.min(content, LONG)) })
    }
  }
  let left = room - Object.values(widths).reduce((sum, width) => sum + width, 0)
  if (left <= 0) return widths

  const lacking = texts.toSorted((a, b) => a.full - a.width - (b.full - b.width))
  for (const [index, text] of lacking.entries()) {
    const share = Math.min(text.full - text.width, Math.floor(left / (lacking.length - index)))
    widths[text.id] = text.width += share
    left -= share
  }
  // all is read whole: what is still left goes to the texts, figures stay close to each other
  const sum = texts.reduce((whole, { width }) => whole + width, 0)
  for (const { id, width } of texts) widths[id] = width + (left * width) / sum
  return widths
}
