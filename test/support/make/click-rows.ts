import { CLICK_COLUMNS, CLICK_TABLE, type ClickColumn } from '#server/rules/click/click-row.ts'

/** Whoever clicks in tests. */
export const VISITOR = { geo: 'UA', device: 'mobile', os: 'Android', browser: 'Chrome', lang: 'uk' }

/** What a row of a test says; every other column is 0 or empty. */
const PLAIN: Partial<Record<ClickColumn, string>> = {
  ts: '1772359200.123',
  rnd: '1',
  affiliate: '1',
  offer: '1',
  advertiser: '1',
  ...VISITOR,
  ip: '::ffff:192.0.2.1',
  ua: 'Mozilla/5.0',
  visitor: '1',
}

/** One click as a line of a spool segment; name the columns that matter to the test, values already escaped. */
export function clickRow(values: Partial<Record<ClickColumn, string | number>> = {}): string {
  const cells = CLICK_TABLE.map(({ name, type }) => values[name] ?? PLAIN[name] ?? (type.startsWith('UInt') ? '0' : ''))
  return `${cells.join('\t')}\n`
}

/** The first line of a spool segment. */
export const SEGMENT_HEADER = `#ohma1\t${CLICK_COLUMNS.join('\t')}\n`
