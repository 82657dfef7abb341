import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { applicationApi } from '#contract/people/application.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { notify } from '#web/notify.ts'

type Applicant = { uuid: string; name: string }

/** Rejects an applicant with a reason, which is mailed; for a moment it can be taken back. `dialog` belongs somewhere on the screen. */
export function useRejection(): { ask: (one: Applicant) => void; dialog: ReactNode } {
  const { t } = useTranslation('affiliate')
  const client = useQueryClient()
  const [asked, setAsked] = useState<Applicant>()
  const refresh = () => invalidate(client, [affiliateApi.get, affiliateApi.list, applicationApi.get])
  const reject = async ({ uuid, name }: Applicant, reason: string) => {
    setAsked(undefined)
    const status = 'rejected'
    try {
      const { changed } = await call(affiliateApi.setStatus, { body: { uuids: [uuid], status, expected: 'moderation', reason } })
      if (changed === 0) notify.error(t('reject.meanwhile'))
      else
        offerUndo(t('reject.done', { name }), () => {
          void call(affiliateApi.undo, { body: { uuids: [uuid], status } })
            .catch(() => undefined) // the call has said why
            .then(refresh)
        })
    } catch {
      // the call has said why
    }
    await refresh()
  }
  return {
    ask: setAsked,
    dialog: asked !== undefined && (
      <RejectDialog
        title={t('reject.ask', { name: asked.name })}
        onClose={() => setAsked(undefined)}
        onReject={(reason) => void reject(asked, reason)}
      />
    ),
  }
}

/** Asks why many are rejected: `ask` answers the reason, or nothing where people changed their minds. `dialog` belongs somewhere on the screen. */
export function useReason(): { ask: (count: number) => Promise<string | undefined>; dialog: ReactNode } {
  const { t } = useTranslation('affiliate')
  const [asked, setAsked] = useState<{ count: number; answer: (reason?: string) => void }>()
  const settle = (reason?: string) => {
    asked?.answer(reason)
    setAsked(undefined)
  }
  return {
    ask: (count) => new Promise((answer) => setAsked({ count, answer })),
    dialog: asked !== undefined && (
      <RejectDialog
        title={t('reject.many', { count: asked.count, number: integer(asked.count) })}
        onClose={() => settle()}
        onReject={settle}
      />
    ),
  }
}

function RejectDialog({ title, onClose, onReject }: { title: string; onClose: () => void; onReject: (reason: string) => void }) {
  const { t } = useTranslation('affiliate')
  const id = useId()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const submit = (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    if (reason.trim() === '') setMissing(true)
    else onReject(reason.trim())
  }
  return (
    <DialogForm
      of={{ id, submit, saving: false, dirty: reason !== '', problems: [], reload: undefined }}
      title={title}
      action={t('reject')}
      danger
      onClose={onClose}
    >
      <Textarea
        label={t('reject.reason')}
        description={t('reject.reasonHelp')}
        withAsterisk
        error={missing && reason.trim() === '' ? t('reject.reasonMissing') : undefined}
        maxLength={500}
        autosize
        minRows={3}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
