import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconMessageExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { objectionApi } from '#contract/money/objection.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { query, useSave } from '#web/api/query.ts'
import { dateTime } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { notify } from '#web/notify.ts'

type Objections = CallOutput<typeof objectionApi.own>
const SHOWN = [objectionApi.own, ownInvoiceApi.get, ownInvoiceApi.list]

/** What an affiliate may say against an invoice that waits for approval, until when, and what was answered. */
export function OwnObjection({ invoice }: { invoice: { uuid: string; status: string } }) {
  const found = useQuery(query(objectionApi.own, { params: { uuid: invoice.uuid } }, { quiet: true }))
  if (found.data === undefined) return null
  const { until, open, list } = found.data
  const asked = list.find(({ state }) => state === 'open')
  return (
    <Stack gap={10}>
      {asked !== undefined && <Asked uuid={invoice.uuid} objection={asked} />}
      {list
        .filter(({ state }) => state !== 'open')
        .map((one) => (
          <Answered key={one.uuid} objection={one} />
        ))}
      {open && <Ask uuid={invoice.uuid} until={until} />}
    </Stack>
  )
}

type Objection = Objections['list'][number]

function Asked({ uuid, objection }: { uuid: string; objection: Objection }) {
  const { t } = useTranslation('invoice')
  const withdraw = useSave(objectionApi.withdraw, { invalidate: SHOWN, onSuccess: () => notify.success(t('toast.objectionWithdrawn')) })
  return (
    <Alert color="var(--ohma-waiting)" icon={<IconMessageExclamation size={18} aria-hidden />} title={t('objection.sent')}>
      <Stack gap={8}>
        <Text fz={14} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {objection.reason}
        </Text>
        <Text fz={13} c="dimmed">
          {t('objection.sentText')}
        </Text>
        <div>
          <Button size="compact-sm" variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate({ params: { uuid } })}>
            {t('objection.withdraw')}
          </Button>
        </div>
      </Stack>
    </Alert>
  )
}

function Answered({ objection: { reason, state, answer, ended_at } }: { objection: Objection }) {
  const { t } = useTranslation('invoice')
  return (
    <div>
      <Text fz={13} c="dimmed">
        {t(`objection.${state}`)} {ended_at !== null && <Moment at={ended_at} />}
      </Text>
      <Text fz={14} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {reason}
      </Text>
      {answer !== '' && (
        <Text fz={14} mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <strong>{t('objection.answerWas')}</strong> {answer}
        </Text>
      )}
    </div>
  )
}

function Ask({ uuid, until }: { uuid: string; until: string | null }) {
  const { t } = useTranslation('invoice')
  const zone = useZone()
  const [writes, setWrites] = useState(false)
  const [reason, setReason] = useState('')
  const make = useSave(objectionApi.make, {
    invalidate: SHOWN,
    onSuccess: () => {
      notify.success(t('objection.done'))
      setWrites(false)
    },
  })
  return (
    <div>
      <Text fz={13} c="dimmed" mb={8}>
        {until === null ? t('objection.may') : t('objection.mayUntil', { time: dateTime(until, zone) })}
      </Text>
      {writes ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (reason.trim() !== '') make.mutate({ params: { uuid }, body: { reason: reason.trim() } })
          }}
        >
          <Stack gap={8}>
            <Textarea
              label={t('objection.reason')}
              description={t('objection.reasonHelp')}
              required
              autosize
              minRows={3}
              maxLength={1000}
              data-autofocus
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Group gap={8}>
              <Button type="submit" size="compact-md" loading={make.isPending} disabled={reason.trim() === ''}>
                {t('objection.send')}
              </Button>
              <Button size="compact-md" variant="default" onClick={() => setWrites(false)}>
                {t('cancel', { ns: 'kit' })}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Button size="compact-sm" variant="default" onClick={() => setWrites(true)}>
          {t('objection.object')}
        </Button>
      )}
    </div>
  )
}
