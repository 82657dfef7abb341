import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconSearch, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { MadeCall } from '#contract/leads/product.ts'
import { quarantineApi } from '#contract/leads/quarantine.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { query, useSave } from '#web/api/query.ts'
import { dateTime } from '#web/format.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { notify } from '#web/notify.ts'

type Unclear = NonNullable<CallOutput<typeof userSessionApi.detail>['quarantine']>

const SHOW = [userSessionApi.detail, userSessionApi.list]

/** A send nobody knows the answer of: what was said, and what a person may say of it. */
export function Quarantine({ of: { send_uuid: uuid, asked_at, no_look_up: none } }: { of: Unclear }) {
  const { t } = useTranslation('userSession')
  const zone = useZone()
  const [saying, setSaying] = useState<'accept' | 'reject' | null>(null)
  const lookUp = useSave(quarantineApi.lookUp, {
    invalidate: SHOW,
    onSuccess: ({ result, error }) => {
      const said = [t(`lookUp.${result}`), error].filter(Boolean).join(' ')
      if (result === 'accepted') notify.success(said)
      else notify.error(said)
    },
  })
  return (
    <Panel title={t('quarantine')} text={t('quarantine.text', { at: dateTime(asked_at, zone) })}>
      <Group gap="xs">
        <Button size="compact-md" leftSection={<IconCheck size={16} aria-hidden />} onClick={() => setSaying('accept')}>
          {t('quarantine.accept')}
        </Button>
        <Button size="compact-md" variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={() => setSaying('reject')}>
          {t('quarantine.reject')}
        </Button>
        <ReasonButton
          size="compact-md"
          variant="default"
          leftSection={<IconSearch size={16} aria-hidden />}
          loading={lookUp.isPending}
          why={none === '' ? undefined : t(`quarantine.${none}`)}
          onClick={() => lookUp.mutate({ params: { uuid } })}
        >
          {t('quarantine.lookUp')}
        </ReasonButton>
      </Group>
      <Calls uuid={uuid} />
      {saying === 'accept' && <AcceptDialog uuid={uuid} onClose={() => setSaying(null)} />}
      {saying === 'reject' && <RejectDialog uuid={uuid} onClose={() => setSaying(null)} />}
    </Panel>
  )
}

type DialogProps = { uuid: string; onClose: () => void }

function AcceptDialog({ uuid, onClose }: DialogProps) {
  const { t } = useTranslation('userSession')
  const form = useSaveForm({
    endpoint: quarantineApi.accept,
    initial: { external_id: '', note: '' },
    toInput: (body) => ({ params: { uuid }, body }),
    invalidate: SHOW,
    savedText: '',
    onSaved: ({ changed }) => {
      notify.success(t(changed === 0 ? 'quarantine.already' : 'quarantine.accepted'))
      onClose()
    },
  })
  return (
    <DialogForm
      of={form}
      title={t('quarantine.accept')}
      text={t('quarantine.acceptText')}
      action={t('quarantine.accept')}
      careful
      onClose={onClose}
    >
      <TextField of={form} name="external_id" label={t('quarantine.external_id')} help={t('quarantine.external_idHelp')} />
      <LongTextField of={form} name="note" label={t('quarantine.note')} rows={2} />
    </DialogForm>
  )
}

function RejectDialog({ uuid, onClose }: DialogProps) {
  const { t } = useTranslation('userSession')
  const form = useSaveForm({
    endpoint: quarantineApi.reject,
    initial: { note: '' },
    toInput: (body) => ({ params: { uuid }, body }),
    invalidate: SHOW,
    savedText: '',
    onSaved: ({ changed }) => {
      notify.success(t(changed === 0 ? 'quarantine.already' : 'quarantine.rejected'))
      onClose()
    },
  })
  return (
    <DialogForm
      of={form}
      title={t('quarantine.reject')}
      text={t('quarantine.rejectText')}
      action={t('quarantine.reject')}
      danger
      careful
      onClose={onClose}
    >
      <LongTextField of={form} name="note" label={t('quarantine.note')} rows={2} />
    </DialogForm>
  )
}

/** What the answer was, by which it is decided, and, where somebody wants to see it, what was sent. */
function Calls({ uuid }: { uuid: string }) {
  const { t } = useTranslation('userSession')
  const [shown, setShown] = useState(false)
  const found = useQuery(query(quarantineApi.calls, { params: { uuid } }, { quiet: true }))
  return (
    <QueryPage query={found} failed={t('quarantine.callsFailed')}>
      {({ list }) => (
        <Stack gap={12} miw={0}>
          <Text fz={13} c="dimmed">
            {t(list.length === 0 ? 'quarantine.callsGone' : 'quarantine.callsHidden')}
          </Text>
          {list.map((call, index) => (
            // calls are known by their order
            // oxlint-disable-next-line react/no-array-index-key
            <Stack key={index} gap={6} miw={0}>
              <strong>{t('made.answer')}</strong>
              <RawText>{answerText(call.answer, t('made.noAnswer'))}</RawText>
              {shown && (
                <>
                  <strong>{t('made.request')}</strong>
                  <RawText>{textOf([`${call.method} ${call.url}`, ...call.headers.map(headerText)], call.body ?? '')}</RawText>
                </>
              )}
            </Stack>
          ))}
          {list.length > 0 && !shown && (
            <Button variant="subtle" size="compact-sm" w="max-content" onClick={() => setShown(true)}>
              {t('quarantine.calls')}
            </Button>
          )}
        </Stack>
      )}
    </QueryPage>
  )
}

function answerText(answer: MadeCall['answer'], none: string): string {
  if (answer === null || answer.status === null) return [none, answer?.error ?? ''].filter(Boolean).join(': ')
  return textOf([`HTTP ${answer.status}`, ...answer.headers.map(headerText)], answer.body)
}

function headerText({ name, value }: { name: string; value: string }): string {
  return `${name}: ${value}`
}

function textOf(head: readonly string[], body: string): string {
  return [...head, '', body].join('\n').trim()
}
