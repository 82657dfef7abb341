import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InboxKind, InboxRow } from '#contract/network/inbox.ts'

type RejectDialogProps = { kind: InboxKind; row: InboxRow; onClose: () => void; onReject: (reason: string) => void }

/** Asks why a request, a landing or a conversion is turned down; a request may be without a word. */
export function RejectDialog({ kind, row, onClose, onReject }: RejectDialogProps) {
  const { t } = useTranslation('inbox')
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const asked = kind === 'landings' || kind === 'conversions' ? kind : 'access'
  const title = {
    access: t('ask.access', {
      who: row.affiliate?.name || t('stranger', { id: row.affiliate?.id ?? '' }),
      offer: row.offer?.name ?? '',
    }),
    landings: t('ask.landings', { what: row.landing?.name ?? '' }),
    conversions: t('ask.conversions', { id: row.conversion?.id ?? '', offer: row.offer?.name ?? '' }),
  }[asked]
  return (
    <Modal opened onClose={onClose} title={title} centered size={460} closeOnClickOutside={reason === ''}>
      <form
        noValidate
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault()
          if (asked !== 'access' && reason.trim() === '') setMissing(true)
          else onReject(reason.trim())
        }}
      >
        <Stack gap="md">
          <Textarea
            data-autofocus
            label={t('reason')}
            description={t(`reasonHelp.${asked}`)}
            withAsterisk={asked !== 'access'}
            maxLength={asked === 'conversions' ? 200 : 500}
            autosize
            minRows={3}
            value={reason}
            error={missing && reason.trim() === '' ? t('reasonMissing') : undefined}
            onChange={(event) => setReason(event.currentTarget.value)}
            onKeyDown={(event) => {
              // as in every dialog: Enter sends, Shift Enter begins a line
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red.9">
              {t(asked === 'conversions' ? 'decline' : 'reject')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
