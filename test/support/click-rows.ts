import { CLICK_COLUMNS, type ClickColumn } from '#server/rules/click/click-row.ts'

const PLAIN: Record<ClickColumn, string> = {
  ts: '1772359200.123',
  rnd: '1',
  affiliate: '1',
  offer: '1',
  advertiser: '1',
  landing: '0',
  prelanding: '0',
  geo: 'UA',
  device: 'mobile',
  os: 'Android',
  browser: 'Chrome',
  lang: 'uk',
  source: '',
  sub1: '',
  sub2: '',
  sub3: '',
  sub4: '',
  sub5: '',
  sub6: '',
  sub7: '',
  sub8: '',
  sub9: '',
  sub10: '',
  aff_click_id: '',
  ip: '::ffff:192.0.2.1',
  ua: 'Mozilla/5.0',
  visitor: '1',
  reason: '',
  flags: '0',
}

/** One click as a line of a spool segment; name the columns that matter to the test, values already escaped. */
export function clickRow(values: Partial<Record<ClickColumn, string | number>> = {}): string {
  return `${CLICK_COLUMNS.map((column) => values[column] ?? PLAIN[column]).join('\t')}\n`
}

/** The first line of a spool segment. */
export const SEGMENT_HEADER = `#ohma1\t${CLICK_COLUMNS.join('\t')}\n`
