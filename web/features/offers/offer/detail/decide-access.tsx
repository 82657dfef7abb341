import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import type { AccessRow } from '#web/features/offers/offer/detail/access-columns.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

export type Refusal = 'rejected' | 'blocked'

/** What shows who has access. */
export const ACCESS_ANSWERS = [offerApi.accessList, offerApi.get, offerApi.list] as const

const MOST = 1000

/** Approves, rejects or blocks affiliates; more than a thousand in several calls. */
export function useDecideAccess(): (rows: readonly AccessRow[], status: Refusal | 'approved', reason: string) => Promise<void> {
  const { t } = useTranslation('offer')
  const client = useQueryClient()
  return async (rows, status, reason) => {
    try {
      let changed = 0
      for (let from = 0; from < rows.length; from += MOST) {
        const entries = entriesOf(rows.slice(from, from + MOST))
        changed += (await call(offerApi.decideAccess, { body: { entries, status, reason } })).changed
      }
      notify.success(t(`access.done.${status}`, { count: changed, number: integer(changed) }))
    } catch {
      // the call has said why; some thousands may have been decided before it
    }
    await invalidate(client, ACCESS_ANSWERS)
  }
}

/** Asks for the reason the affiliates will read, then rejects or blocks them. */
export function DecideAccess({ rows, status, onClose }: { rows: readonly AccessRow[]; status: Refusal; onClose: () => void }) {
  const { t } = useTranslation('offer')
  const decide = useDecideAccess()
  const [only, ...others] = rows
  const named = only === undefined || others.length > 0 ? undefined : only.affiliate.name || `#${only.affiliate.id}`
  const form = useSaveForm({
    endpoint: offerApi.decideAccess,
    initial: { reason: '' },
    // the first thousand is the form's own call, the rest follows
    toInput: ({ reason }) => ({ body: { entries: entriesOf(rows.slice(0, MOST)), status, reason } }),
    invalidate: ACCESS_ANSWERS,
    savedText: rows.length > MOST ? '' : t(`access.done.${status}`, { count: rows.length, number: integer(rows.length) }),
    onSaved: (_answer, { reason }) => {
      if (rows.length > MOST) void decide(rows.slice(MOST), status, reason)
      onClose()
    },
  })
  return (
    <DialogForm
      of={form}
      title={
        named === undefined
          ? t(`access.ask.${status}`, { count: rows.length, number: integer(rows.length) })
          : t(`access.askOne.${status}`, { name: named, offer: only?.offer.name })
      }
      text={named === undefined ? namesOf(rows) : undefined}
      danger
      action={t(status === 'rejected' ? 'access.reject' : 'access.block')}
      onClose={onClose}
    >
      <LongTextField of={form} name="reason" label={t('access.reason')} help={t('access.reasonHelp')} />
    </DialogForm>
  )
}

/** Who is decided about, and where: the first of them. */
function namesOf(rows: readonly AccessRow[]): string {
  const names = rows.slice(0, 3).map(({ offer, affiliate }) => `${affiliate.name || `#${affiliate.id}`} · ${offer.name}`)
  return names.join('; ') + (rows.length > 3 ? ' …' : '')
}

function entriesOf(rows: readonly AccessRow[]) {
  return rows.map(({ offer, affiliate }) => ({ offer_uuid: offer.uuid, affiliate_uuid: affiliate.uuid }))
}
