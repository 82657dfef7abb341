import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { authApi } from '#contract/people/auth.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { secondFactorApi } from '#contract/people/second-factor.ts'
import { invalidate, query } from '#web/api/query.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { CodeField } from './code-field.tsx'
import { FactorSetup } from './factor-setup.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type State = CallOutput<typeof secondFactorApi.state>

/** Few codes left are worth a word. */
const FEW = 3

/** The own second factor: how it stands, and everything one may do with it. `onBusy` hears whether something is begun that has an end of its own. */
export function SecondFactor({ email, onBusy }: { email: string; onBusy?: (busy: boolean) => void }) {
  const { t } = useTranslation('security')
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(query(secondFactorApi.state, {}))
  const [doing, setDoing] = useState<'setup' | 'renew' | 'off'>()
  const go = (what: typeof doing) => {
    setDoing(what)
    onBusy?.(what !== undefined)
  }
  const done = () => {
    void invalidate(client, [secondFactorApi.state, authApi.sessions])
    go(undefined)
  }
  if (error) return <ErrorState what={t('factor.failed')} error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={96} />
  if (doing === 'setup') return <FactorSetup email={email} onDone={done} onCancel={done} />
  if (doing === 'renew') return <Renew email={email} onDone={done} />
  if (doing === 'off') return <TurnOff email={email} onDone={done} />
  return <Standing state={data} onDo={go} />
}

function Standing({ state, onDo }: { state: State; onDo: (what: 'setup' | 'renew' | 'off') => void }) {
  const { t } = useTranslation('security')
  if (!state.on) {
    return (
      <Stack gap="sm" align="flex-start">
        <StatusBadge tone="muted" label={t('factor.off')} />
        <Text c="dimmed">{t('factor.about')}</Text>
        <Button onClick={() => onDo('setup')}>{t('factor.setUp')}</Button>
      </Stack>
    )
  }
  return (
    <Stack gap="sm" align="flex-start">
      <StatusBadge tone="good" label={t('factor.on')} />
      <Text c="dimmed">
        {t('factor.since')} <Moment at={state.since} /> · {t('factor.codesLeft', { count: state.recovery_codes_left })}
      </Text>
      {state.recovery_codes_left < FEW && (
        <Alert variant="light" color="yellow" p="sm">
          {t('factor.fewCodes')}
        </Alert>
      )}
      <Group gap="sm">
        <Button variant="default" onClick={() => onDo('renew')}>
          {t('factor.renew')}
        </Button>
        {!state.compulsory && (
          <Button variant="default" c="var(--ohma-bad)" onClick={() => onDo('off')}>
            {t('factor.turnOff')}
          </Button>
        )}
      </Group>
      {state.compulsory && (
        <Text fz={13} c="dimmed">
          {t('factor.compulsory')}
        </Text>
      )}
    </Stack>
  )
}

function Renew({ email, onDone }: { email: string; onDone: () => void }) {
  const { t } = useTranslation('security')
  const [codes, setCodes] = useState<readonly string[]>()
  const form = useSaveForm({
    endpoint: secondFactorApi.renewCodes,
    initial: { password: '', code: '' },
    toInput: (values) => ({ body: values }),
    invalidate: [],
    savedText: '',
    onSaved: ({ recovery_codes }) => setCodes(recovery_codes),
  })
  if (codes !== undefined) return <RecoveryCodes codes={codes} onKept={onDone} />
  return <Both of={form} email={email} title={t('factor.renew')} text={t('renew.text')} action={t('renew.action')} onCancel={onDone} />
}

function TurnOff({ email, onDone }: { email: string; onDone: () => void }) {
  const { t } = useTranslation('security')
  const form = useSaveForm({
    endpoint: secondFactorApi.turnOff,
    initial: { password: '', code: '' },
    toInput: (values) => ({ body: values }),
    invalidate: [],
    savedText: t('off.saved'),
    onSaved: onDone,
  })
  return (
    <Both of={form} email={email} title={t('factor.turnOff')} text={t('off.text')} action={t('factor.turnOff')} danger onCancel={onDone} />
  )
}

type BothProps = {
  of: SaveForm<{ password: string; code: string }>
  email: string
  title: string
  text: string
  action: string
  danger?: boolean
  onCancel: () => void
}

/** What takes both the password and a code. */
function Both({ of, email, title, text, action, danger = false, onCancel }: BothProps) {
  const { t } = useTranslation('security')
  return (
    <form onSubmit={of.submit} aria-label={title} noValidate>
      <Stack gap="md">
        <Text c="dimmed">{text}</Text>
        <input type="text" hidden readOnly autoComplete="username" value={email} />
        <CodeField of={of} label={t('code')} help={t('codeHelp')} />
        <PasswordField of={of} name="password" label={t('password')} autoComplete="current-password" required />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={of.saving}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={of.saving} color={danger ? 'red.9' : undefined}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
