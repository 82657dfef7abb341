import type { ConversionImportField, ConversionMapping } from '#contract/traffic/conversion-import.ts'
import { REPORT_DATES } from '#contract/money/report-reading.ts'
import { columnInWords } from '#server/rules/conversion/column-words.ts'
import { kindOf } from '#server/rules/conversion/postback-names.ts'
import { readTime } from '#server/rules/conversion/read-time.ts'
import { areYesOrNo } from '#server/rules/conversion/status-words.ts'

/** Names of columns that no postback has. */
const WORDS: Readonly<Record<string, ConversionImportField>> = {
  conversion: 'conversion_id',
  conversion_uuid: 'conversion_id',
  click: 'click_id',
  transaction: 'txn_id',
  order: 'txn_id',
  status_reason: 'reason',
  decline_reason: 'reason',
  rejection_reason: 'reason',
  клік: 'click_id',
  статус: 'status',
  сума: 'amount',
  валюта: 'currency',
  причина: 'reason',
  ціль: 'goal',
}
/** Names of columns that say when a conversion was made. */
const DATES = new Set(
  'date datetime date_time time timestamp created created_at converted_at conversion_date conversion_time conversion_datetime event_date event_time order_date transaction_date action_date sale_date lead_date дата час'.split(
    ' ',
  ),
)
const FIELD_OF: Readonly<Record<string, ConversionImportField>> = {
  click_id: 'click_id',
  txn_id: 'txn_id',
  'txn_id?': 'txn_id',
  status: 'status',
  'status?': 'status',
  goal: 'goal',
  'event?': 'goal',
  amount: 'amount',
  'amount?': 'amount',
  currency: 'currency',
  reason: 'reason',
  rejection: 'reason',
}

/** What columns in other languages may be here. */
const IN_WORDS: Readonly<Record<string, ConversionImportField>> = {
  click_id: 'click_id',
  transaction_id: 'txn_id',
  conversion_id: 'conversion_id',
  status: 'status',
  goal: 'goal',
  amount: 'amount',
  currency: 'currency',
  reason: 'reason',
}

/** Which column is what, by its name: our own names, those of other languages and those that postbacks of other systems have. The surer name wins, then the first. A column called like an event that holds yes or no names no goal. */
export function guessColumns(columns: readonly string[], rows: readonly { cells: readonly string[] }[] = []): ConversionMapping {
  const found: ConversionMapping = {}
  for (const isSure of [true, false])
    for (const [place, column] of columns.entries()) {
      const name = column
        .trim()
        .toLowerCase()
        .replaceAll(/[\s-]+/g, '_')
      const kind = name === 'conversion_id' ? 'conversion_id' : (kindOf(name) ?? '')
      const inWords = IN_WORDS[columnInWords(column) ?? '']
      const field = WORDS[name] ?? (kind === 'conversion_id' ? kind : (FIELD_OF[kind] ?? inWords))
      const valuesOf = () => rows.map(({ cells }) => cells[place] ?? '')
      if (DATES.has(name) || columnInWords(column, valuesOf) === 'time') {
        if (found.date === undefined && valuesOf().some(isDate)) found.date = place
        continue
      }
      if (kind === 'event?' && areYesOrNo(rows.map(({ cells }) => cells[place] ?? ''))) continue
      const sure = WORDS[name] !== undefined || (kind === '' && inWords !== undefined) || kind === 'conversion_id' || !kind.endsWith('?')
      if (field !== undefined && sure === isSure && found[field] === undefined && !Object.values(found).includes(place))
        found[field] = place
    }
  return found
}

function isDate(text: string): boolean {
  return REPORT_DATES.some((dates) => readTime(text, dates) !== null)
}
