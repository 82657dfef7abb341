import { reconciliationApi, RECONCILIATION_ROW_STATES, RECONCILIATION_STATES } from '#contract/money/reconciliation.ts'
import { statusLook } from '#web/kit/status/status-look.ts'
import type english from './reconciliation.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    reconciliation: typeof english
  }
}

/** Where a reconciliation stands. */
export const BATCH_STATE = statusLook({
  field: 'state',
  texts: 'reconciliation',
  values: RECONCILIATION_STATES,
  tones: { uploaded: 'waiting', matched: 'waiting', applying: 'info', applied: 'good', undoing: 'info', undone: 'muted' },
})

/** What became of a row. */
export const ROW_STATE = statusLook({
  field: 'row',
  texts: 'reconciliation',
  values: RECONCILIATION_ROW_STATES,
  tones: { open: 'waiting', applied: 'good', same: 'muted', skipped: 'bad', undone: 'muted', kept: 'bad' },
})

/** Endpoints whose answers show a batch. */
export const SHOW_BATCH = [
  reconciliationApi.get,
  reconciliationApi.list,
  reconciliationApi.rows,
  reconciliationApi.row,
  reconciliationApi.totals,
]

/** Minutes ahead of UTC as people write a zone: UTC+3, UTC−4:30. */
export function zoneText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (minutes === 0) return 'UTC'
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}
