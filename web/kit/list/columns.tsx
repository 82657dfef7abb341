import { useMemo, type ReactNode } from 'react'
import { useTranslation, type Namespace, type TextKey } from '#web/i18n/use-translation.ts'
import type { Constants, Pair } from '#web/api/constant-pairs.ts'
import { useConstants } from '#web/api/constants.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { TagList } from '#web/kit/show/tag-list.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { wordsOf, type StatusLook, type Words } from '#web/kit/status/status-look.ts'
import type { Column } from '#web/kit/table/column.ts'

/** How a column stands in its table. The text of its header is called like the column unless `header` names another one. */
type Look<Text extends string> = Pick<Column<unknown>, 'width' | 'whole' | 'hidden' | 'card' | 'total'> & {
  header?: Text
  /** The text `<id>Hint` says on hover what the figure means. */
  hint?: true
  /** The server sorts by it. */
  sort?: true
}

type Plain = string | number | null | undefined

/** A column as a feature declares it; its texts are looked up when it is drawn. `Text` collects those it needs. */
export type ColumnSpec<Row, Text extends string> = Omit<Look<string>, 'header'> & {
  id: string
  header: Text
  numeric?: true
  cell: (row: Row, t: Words) => ReactNode
  /** The plain value in an export; null = it is not exported. */
  csv: ((row: Row, t: Words) => Plain) | null
}

/** The columns of a feature. A header without a text, in its namespace or the common one, does not compile. */
export type Columns<Row, Texts extends Namespace> = readonly ColumnSpec<Row, TextKey<Texts>>[]

/** Declared columns with their texts in the language on the screen. */
export function useColumns<Row, Texts extends Namespace>(texts: Texts, columns: Columns<Row, Texts>): Column<Row>[] {
  const { t } = useTranslation(texts)
  return useMemo(() => {
    const words = wordsOf(t)
    return columns.map(({ id, header, hint, sort, cell, csv, ...look }) => ({
      ...look,
      id,
      header: words(header),
      ...(hint && { hint: words(`${id}Hint`) }),
      ...(sort && { sort: id }),
      cell: (row) => cell(row, words),
      ...(csv && { csv: (row) => csv(row, words) }),
    }))
  }, [t, columns])
}

type Own<Row, Text extends string> = Look<Text> & {
  numeric?: true
  cell: (row: Row, t: Words) => ReactNode
  csv: ((row: Row, t: Words) => Plain) | null
}

/** A column drawn by the feature itself. */
export function column<Row, Id extends string, Text extends string = Id>(id: Id, own: Own<Row, Text>): ColumnSpec<Row, Text> {
  return { header: id as unknown as Text, ...own, id } // the default type argument says the same
}

/** The number people name a thing by; a click copies it. */
export function idColumn(look: Look<'id'> = {}) {
  return column('id', {
    sort: true,
    numeric: true,
    ...look,
    cell: (row: { id: number }) => <CopyText text={String(row.id)} />,
    csv: (row) => row.id,
  })
}

/** Plain text. */
export function text<Id extends string, Text extends string = Id>(id: Id, look: Look<Text> = {}) {
  return column<Record<Id, string | null>, Id, Text>(id, { ...look, cell: (row) => row[id] || UNKNOWN, csv: (row) => row[id] })
}

/** An address that a click copies; where its place is too short, its middle is left out. */
export function address<Id extends string, Text extends string = Id>(id: Id, look: Look<Text> = {}) {
  return column<Record<Id, string>, Id, Text>(id, {
    ...look,
    cell: (row) => <CopyText text={row[id]} tail={18} />,
    csv: (row) => row[id],
  })
}

/** Text that a click copies. */
export function copied<Id extends string, Text extends string = Id>(id: Id, look: Look<Text> = {}) {
  return column<Record<Id, string>, Id, Text>(id, {
    ...look,
    cell: (row) => (row[id] ? <CopyText text={row[id]} /> : UNKNOWN),
    csv: (row) => row[id],
  })
}

/** A count; null is unknown. */
export function count<Id extends string, Text extends string = Id>(id: Id, look: Look<Text> = {}) {
  return column<Record<Id, number | null>, Id, Text>(id, { numeric: true, ...look, cell: (row) => integer(row[id]), csv: (row) => row[id] })
}

/** When something was: how long ago, and exactly on hover. */
export function moment<Id extends string, Text extends string = Id>(id: Id, look: Look<Text> = {}) {
  return column<Record<Id, string | null>, Id, Text>(id, {
    whole: true,
    ...look,
    cell: (row) => <Moment at={row[id]} />,
    csv: (row) => row[id],
  })
}

/** The name of the person or company a row belongs to. */
export function reference<Id extends string, Text extends string = Id>(id: Id, look: Look<Text> = {}) {
  return column<Record<Id, { name: string } | null>, Id, Text>(id, {
    ...look,
    cell: (row) => row[id]?.name ?? UNKNOWN,
    csv: (row) => row[id]?.name,
  })
}

/** A country by its flag and name. */
export function country<Id extends string, Text extends string = Id>(id: Id, look: Look<Text> = {}) {
  return column<Record<Id, string | null>, Id, Text>(id, {
    width: 155,
    ...look,
    cell: (row) => <Country code={row[id]} />,
    csv: (row) => row[id],
  })
}

/** Free words as chips. */
export function tags<Id extends string, Text extends string = Id>(id: Id, look: Look<Text> = {}) {
  return column<Record<Id, string[]>, Id, Text>(id, {
    width: 170,
    ...look,
    cell: (row) => <TagList tags={row[id]} />,
    csv: (row) => row[id].join(', '),
  })
}

/** One of the network's constants by its name, such as a vertical. */
export function constant<Id extends string, Text extends string = Id>(id: Id, of: ConstantKind, look: Look<Text> = {}) {
  return column<Record<Id, string>, Id, Text>(id, {
    ...look,
    cell: (row) => <ConstantName of={of} code={row[id]} />,
    csv: (row) => row[id],
  })
}

type ConstantKind = { [Name in keyof Constants]: Constants[Name] extends Pair[] ? Name : never }[keyof Constants]

/** What the network calls one of its constants; a code it does not know is shown as it is. */
function ConstantName({ of, code }: { of: ConstantKind; code: string }) {
  return useConstants()[of].find(({ value }) => value === code)?.label ?? (code || UNKNOWN)
}

/** One of a few known values; its texts are `<texts>.<value>`, `texts` being the id where it is not named. */
export function choice<Id extends string, Value extends string, Prefix extends string = Id>(
  id: Id,
  values: readonly Value[],
  { texts, ...look }: Look<never> & { texts?: Prefix } = {},
): ColumnSpec<Record<Id, Value>, Id | `${NoInfer<Prefix>}.${Value}`> {
  const named = (row: Record<Id, Value>, t: Words) => (values.includes(row[id]) ? t(`${texts ?? id}.${row[id]}`) : UNKNOWN)
  return column<Record<Id, Value>, Id, Id | `${NoInfer<Prefix>}.${Value}`>(id, { whole: true, ...look, cell: named, csv: named })
}

/** Where a row stands, as its badge. */
export function status<Value extends string, Field extends string>(of: StatusLook<Value, Field>, look: Look<never> = {}) {
  return column<Record<Field, Value>, Field, Field>(of.field, {
    whole: true,
    card: 'field',
    ...look,
    cell: (row) => <Status of={of} value={row[of.field]} />,
    csv: (row, t) => t(`${of.field}.${row[of.field]}`),
  })
}
