import { CARRIED_COLUMNS, CLICK_TABLE, PERSONAL_COLUMNS, type Carried, type ClickColumn } from '#server/rules/click/click-row.ts'

type Read = Exclude<(typeof CLICK_TABLE)[number], { countedOnly: true }>
/** A click as it is stored: `ts` in milliseconds, numbers as numbers, everything else as text. */
export type ClickRow = {
  [Column in Read as Column['name']]: Column['type'] extends `UInt${string}` | `DateTime64${string}` ? number : string
}

const READ = CLICK_TABLE.filter((column): column is Read => !('countedOnly' in column))
const NUMERIC = READ.map(({ type }) => /^(UInt|DateTime64)/.test(type))

/** What to select for `clickRowOf`. */
export const CLICK_SELECT = READ.map(({ name, type }) => expressionOf(name, type)).join(', ')

/** The row out of its cells, in the order of `CLICK_SELECT`. */
export function clickRowOf(cells: readonly unknown[]): ClickRow {
  const values = READ.map(({ name }, index) => [name, NUMERIC[index] ? Number(cells[index] ?? 0) : String(cells[index] ?? '')])
  return Object.fromEntries(values) as ClickRow // one value for each column, by its type
}

/** What a conversion takes along from its click beside the columns it has of its own. */
export function carriedOf(row: Pick<ClickRow, (typeof CARRIED_COLUMNS | typeof PERSONAL_COLUMNS)[number]>): Carried {
  return Object.fromEntries([...CARRIED_COLUMNS, ...PERSONAL_COLUMNS].map((name) => [name, row[name]]))
}

/** sub1 to sub10. */
export function subsOf(row: Pick<ClickRow, `sub${number}` & keyof ClickRow>): string[] {
  return [row.sub1, row.sub2, row.sub3, row.sub4, row.sub5, row.sub6, row.sub7, row.sub8, row.sub9, row.sub10]
}

function expressionOf(name: ClickColumn, type: Read['type']): string {
  if (type.startsWith('DateTime64')) return `toUnixTimestamp64Milli(${name})`
  return type === 'IPv6' ? `IPv6NumToString(${name})` : name
}
