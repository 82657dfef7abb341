import { Textarea } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { InboxKind, InboxRow } from '#contract/network/inbox.ts'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'

type RejectDialogProps = { kind: InboxKind; row: InboxRow; onClose: () => void; onReject: (reason: string) => void }

/** Asks why a request, an applicant, a landing, a conversion or a lead is turned down; the first and the last may be without a word. The row sends it. */
export function RejectDialog({ kind, row, onClose, onReject }: RejectDialogProps) {
  const { t } = useTranslation('inboxRow')
  const id = useId()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const asked = kind === 'landings' || kind === 'conversions' || kind === 'affiliates' || kind === 'leads' ? kind : 'access'
  const optional = asked === 'access' || asked === 'leads'
  const title = {
    access: t('ask.access', {
      who: row.affiliate?.name || t('stranger', { id: row.affiliate?.id ?? '' }),
      offer: row.offer?.name ?? '',
    }),
    affiliates: t('ask.affiliates', { who: row.affiliate?.name ?? '' }),
    landings: t('ask.landings', { what: row.landing?.name ?? '' }),
    leads: t('ask.leads', { id: row.text, offer: row.offer?.name ?? '' }),
    conversions: t('ask.conversions', { id: row.conversion?.id ?? '', offer: row.offer?.name ?? '' }),
  }[asked]
  const submit = (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    if (!optional && reason.trim() === '') setMissing(true)
    else onReject(reason.trim())
  }
  return (
    <DialogForm
      of={{ id, submit, saving: false, dirty: reason !== '', problems: [], reload: undefined }}
      title={title}
      action={t(asked === 'conversions' ? 'decline' : 'reject')}
      danger
      onClose={onClose}
    >
      <Textarea
        label={t('reason')}
        description={t(`reasonHelp.${asked}`)}
        withAsterisk={!optional}
        maxLength={asked === 'conversions' ? 200 : 500}
        autosize
        minRows={3}
        value={reason}
        error={missing && reason.trim() === '' ? t('reasonMissing') : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
