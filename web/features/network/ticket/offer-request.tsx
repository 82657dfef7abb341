import { Button, Group, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ticketApi, type Ticket } from '#contract/network/ticket.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { newKey } from '#web/features/network/ticket/new-key.ts'
import classes from '#web/features/network/ticket/ticket.module.css'

/** Decides about the access an affiliate asks for, with a word to it. */
export function OfferRequest({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('ticket')
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const decide = async (status: 'approved' | 'rejected') => {
    setBusy(true)
    await call(ticketApi.decideOffer, { params: { uuid: ticket.uuid }, body: { key: newKey(), status, reason } }).catch(() => undefined) // it said why
    setBusy(false)
    await invalidate(client, [ticketApi.list, ticketApi.get, ticketApi.messages])
  }
  return (
    <section className={classes.request} aria-label={t('request.title')}>
      <p>{t('request.ask', { affiliate: ticket.affiliate?.name ?? '', offer: ticket.offer?.name ?? '' })}</p>
      <Textarea
        aria-label={t('request.reason')}
        placeholder={t('request.reason')}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button size="xs" loading={busy} onClick={() => void decide('approved')}>
          {t('request.approve')}
        </Button>
        <Button size="xs" variant="default" disabled={busy} onClick={() => void decide('rejected')}>
          {t('request.reject')}
        </Button>
      </Group>
    </section>
  )
}
