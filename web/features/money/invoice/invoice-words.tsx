import { INVOICE_STATUSES, ISSUED, type InvoiceStatus } from '#contract/money/invoice.ts'
import { useConstants } from '#web/api/constants.ts'
import { UNKNOWN } from '#web/format.ts'
import { statusLook } from '#web/kit/status/status-look.ts'

/** Where an invoice stands. */
export const INVOICE_STATUS = statusLook({
  field: 'status',
  texts: 'invoice',
  values: INVOICE_STATUSES,
  tones: {
    draft: 'muted',
    waiting: 'waiting',
    // decided: what is left to do is to pay it
    approved: 'info',
    partly_paid: 'part',
    paid: 'good',
    declined: 'bad',
    cancelled: 'muted',
  },
})

/** What it says stays as it is: only staff's own note can be changed. */
export function isFinal(status: InvoiceStatus): boolean {
  return ISSUED.includes(status) || status === 'declined'
}

type Named = { id: number; number: string | null }

/** What an invoice is called: its number, or which draft it is. */
export function nameOf({ id, number }: Named, t: (key: 'noNumber', more: { id: number }) => string): string {
  return number ?? t('noNumber', { id })
}

/** A payment system by its name. */
export function SystemName({ code }: { code: string }) {
  return useConstants().payment_systems.find(({ value }) => value === code)?.label ?? (code || UNKNOWN)
}
