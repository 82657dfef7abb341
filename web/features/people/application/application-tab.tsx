import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconCheck, IconMail, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { affiliateApi, type affiliateStatus } from '#contract/people/affiliate.ts'
import { applicationApi, inLanguage, type application } from '#contract/people/application.ts'
import type { z } from 'zod'
import { call } from '#web/api/call.ts'
import { invalidate, query, useSave } from '#web/api/query.ts'
import { UNKNOWN } from '#web/format.ts'
import { currentLanguage, LANGUAGES } from '#web/i18n/language.ts'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

type Affiliate = { uuid: string; name: string; status: z.output<typeof affiliateStatus> }
type Application = z.output<typeof application>

/** What an affiliate said who signed up, where from, and what is decided about it. */
export function ApplicationTab({ affiliate }: { affiliate: Affiliate }) {
  const { t } = useTranslation('application')
  const found = useQuery(query(applicationApi.get, { params: { uuid: affiliate.uuid } }))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {({ application }) =>
        application === null ? (
          <Panel title={t('title')}>
            <Text c="dimmed">{t('none')}</Text>
          </Panel>
        ) : (
          <Stack>
            <Decision affiliate={affiliate} application={application} />
            <Said application={application} />
          </Stack>
        )
      }
    </QueryPage>
  )
}

function Decision({ affiliate, application }: { affiliate: Affiliate; application: Application }) {
  const { t } = useTranslation('application')
  const client = useQueryClient()
  const mayWrite = useCan()('affiliate.write')
  const [rejecting, setRejecting] = useState(false)
  const resend = useSave(applicationApi.resend, { onSuccess: () => notify.success(t('resent')) })
  const refresh = [affiliateApi.get, affiliateApi.list, applicationApi.get]
  const { uuid, name, status } = affiliate
  const open = status === 'moderation' || status === 'unverified'

  const decide = async (next: 'active' | 'rejected', reason = '') => {
    setRejecting(false)
    try {
      const { changed } = await call(affiliateApi.setStatus, { body: { uuids: [uuid], status: next, expected: status, reason } })
      if (changed === 0) notify.error(t('meanwhile'))
      else
        offerUndo(t(`done.${next}`, { name }), () => {
          void call(affiliateApi.undo, { body: { uuids: [uuid], status: next } })
            .catch(() => undefined) // the call has said why
            .then(() => invalidate(client, refresh))
        })
    } catch {
      // the call has said why
    }
    await invalidate(client, refresh)
  }

  return (
    <Panel
      title={t('title')}
      actions={
        mayWrite &&
        open && (
          <Group gap="xs">
            {status === 'unverified' && (
              <Button
                variant="default"
                leftSection={<IconMail size={16} aria-hidden />}
                loading={resend.isPending}
                onClick={() => resend.mutate({ params: { uuid } })}
              >
                {t('resend')}
              </Button>
            )}
            <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={() => setRejecting(true)}>
              {t('reject')}
            </Button>
            <Button leftSection={<IconCheck size={16} aria-hidden />} onClick={() => void decide('active')}>
              {t('approve')}
            </Button>
          </Group>
        )
      }
    >
      {application.confirmed_at === null && (
        <Alert color="var(--ohma-waiting)" p="sm">
          {t(status === 'unverified' ? 'unverified' : 'unconfirmed')}
        </Alert>
      )}
      <Facts
        of={[
          [t('applied'), <Moment key="applied" at={application.created_at} />],
          [
            t('confirmed'),
            application.confirmed_at === null ? t('notConfirmed') : <Moment key="confirmed" at={application.confirmed_at} />,
          ],
          [t('decided'), application.decided_at === null ? UNKNOWN : <Moment key="decided" at={application.decided_at} />],
          ...(application.reason === '' ? [] : [[t('reason'), application.reason] as const]),
        ]}
      />
      {rejecting && <RejectDialog name={name} onClose={() => setRejecting(false)} onReject={(reason) => void decide('rejected', reason)} />}
    </Panel>
  )
}

function RejectDialog({ name, onClose, onReject }: { name: string; onClose: () => void; onReject: (reason: string) => void }) {
  const { t } = useTranslation('application')
  const id = useId()
  const [reason, setReason] = useState('')
  return (
    <DialogForm
      of={{
        id,
        submit: (event) => {
          event?.preventDefault()
          onReject(reason.trim())
        },
        saving: false,
        dirty: reason !== '',
        problems: [],
        reload: undefined,
      }}
      title={t('ask', { name })}
      action={t('reject')}
      danger
      onClose={onClose}
    >
      <Textarea
        label={t('reason')}
        description={t('reasonHelp')}
        maxLength={500}
        autosize
        minRows={3}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  )
}

function Said({ application: { answers, source, accepted, address, device } }: { application: Application }) {
  const { t } = useTranslation('application')
  const { t: legal } = useTranslation('legal')
  const language = currentLanguage()
  const utm = (['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const).filter((name) => source[name] !== '')
  return (
    <PageColumns>
      <Panel title={t('answers')}>
        {answers.length === 0 ? (
          <Text c="dimmed">{t('noAnswers')}</Text>
        ) : (
          <Stack gap="md">
            {answers.map(({ question, values }) => (
              <div key={question.en + question.uk}>
                <Text fw={600}>{inLanguage(question, language)}</Text>
                <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                  {values.map((value) => inLanguage(value, language)).join(', ')}
                </Text>
              </div>
            ))}
          </Stack>
        )}
      </Panel>
      <Panel title={t('source')}>
        <Facts
          of={[
            [t('ref'), source.ref || UNKNOWN],
            [t('referrer'), <Whole key="referrer" text={source.referrer} />],
            [t('landing'), <Whole key="landing" text={source.landing} />],
            ...utm.map((name) => [name, source[name]] as const),
            [t('address'), address || UNKNOWN],
            [t('device'), <Whole key="device" text={device} />],
          ]}
        />
      </Panel>
      <Panel title={t('accepted')}>
        {accepted.length === 0 ? (
          <Text c="dimmed">{t('noAccepted')}</Text>
        ) : (
          <Facts
            of={accepted.map((one) => [
              legal(`kind.${one.kind}` as 'kind.terms'),
              <span key={one.uuid}>
                {t('version', { version: one.version, language: LANGUAGES.find(({ value }) => value === one.language)?.label ?? '' })}{' '}
                <Moment at={one.accepted_at} />
              </span>,
            ])}
          />
        )}
      </Panel>
    </PageColumns>
  )
}

/** Text of strangers, however long, in the width there is. */
function Whole({ text }: { text: string }) {
  return <span style={{ overflowWrap: 'anywhere' }}>{text || UNKNOWN}</span>
}
