import { csvForPeople } from '#server/platform/csv.ts'
import type { DocumentLanguage } from '#contract/money/document.ts'
import { inLanguage } from './words.ts'

const HEADINGS = {
  kind: ['Kind', 'Вид'],
  conversion: ['Conversion', 'Конверсія'],
  created_at: ['Time (UTC)', 'Час (UTC)'],
  click_id: ['Click ID', 'ID кліку'],
  transaction_id: ['Transaction', 'Транзакція'],
  offer: ['Offer', 'Офер'],
  goal: ['Goal', 'Ціль'],
  note: ['Note', 'Примітка'],
  amount: ['Amount', 'Сума'],
  currency: ['Currency', 'Валюта'],
} as const satisfies Record<string, readonly [english: string, ukrainian: string]>
type Column = keyof typeof HEADINGS

const KINDS: Readonly<Record<string, readonly [english: string, ukrainian: string]>> = {
  conversion: ['Conversion', 'Конверсія'],
  correction: ['Correction', 'Коригування'],
  referral: ['Referral commission', 'Реферальна винагорода'],
  bonus: ['Bonus', 'Бонус'],
  discount: ['Discount', 'Знижка'],
  minimum: ['Minimum', 'Мінімальна сума'],
  fee: ['Fee', 'Додаткова плата'],
}

type Line = { kind: string; created_at: Date | null }

/** The lines of an invoice as CSV, its headings in the language of documents; spreadsheets compute nothing of it. */
export function linesFile<One extends Line>(
  lines: readonly One[],
  columns: readonly (Column & (keyof One | 'currency'))[],
  { language, currency }: { language: DocumentLanguage; currency: string },
): Uint8Array {
  const data = lines.map((line) => {
    const row: Record<string, unknown> = {
      ...line,
      kind: inLanguage(KINDS[line.kind] ?? [line.kind, line.kind], language),
      created_at: line.created_at?.toISOString() ?? '',
      currency,
    }
    return columns.map((column) => row[column])
  })
  const fields = columns.map((column) => inLanguage(HEADINGS[column], language))
  return Buffer.from(csvForPeople(fields, data))
}
