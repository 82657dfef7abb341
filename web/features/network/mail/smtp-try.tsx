import { Alert, Button, Group, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { mailApi } from '#contract/network/mail.ts'
import { smtpApi, type SmtpInput, type SmtpOutcome } from '#contract/network/smtp.ts'
import { useSave } from '#web/api/query.ts'
import type { CallError } from '#web/api/call-error.ts'
import type { SmtpValues } from '#web/features/network/mail/smtp-values.ts'
import { fieldText } from '#web/i18n/language.ts'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { useSession } from '#web/shell/session.ts'

type SmtpTryProps = { of: SaveForm<SmtpValues>; toInput: () => { body: SmtpInput }; testedAt: string | null }

/** Looks at the server and sends a test message with what the form holds; each step is told, and what went wrong. */
export function SmtpTry({ of, toInput, testedAt }: SmtpTryProps) {
  const { t } = useTranslation('mail')
  const id = useId()
  const own = useSession().email
  const [to, setTo] = useState(own)
  const [outcome, setOutcome] = useState<SmtpOutcome>()
  const refused = (error: CallError) => {
    setOutcome(undefined)
    of.form.setErrors(error.fields)
  }
  const check = useSave(smtpApi.check, { form: true, onSuccess: setOutcome })
  const test = useSave(smtpApi.test, { form: true, invalidate: [mailApi.list, dashboardApi.firstSteps], onSuccess: setOutcome })
  const wrong = test.error?.fields['to']
  const problems = Object.entries((check.error ?? test.error)?.fields ?? {}).filter(([field]) => field !== 'to')
  const busy = check.isPending || test.isPending
  return (
    <FormSection title={t('section.try')} text={t('section.tryText')}>
      <Group data-wide align="flex-end" gap={10}>
        <Button
          variant="default"
          loading={check.isPending}
          disabled={busy || of.values.host === ''}
          onClick={() => (test.reset(), check.mutate(toInput(), { onError: refused }))}
        >
          {t('check')}
        </Button>
        <TextInput
          id={id}
          label={t('testTo')}
          type="email"
          value={to}
          error={wrong && fieldText(wrong)}
          onChange={(event) => setTo(event.currentTarget.value)}
          style={{ flex: '1 1 220px', maxWidth: 340 }}
        />
        <Button
          variant="light"
          loading={test.isPending}
          disabled={busy || of.values.host === '' || to === ''}
          onClick={() => (check.reset(), test.mutate({ body: { ...toInput().body, to } }, { onError: refused }))}
        >
          {t('test')}
        </Button>
      </Group>
      {problems.length > 0 && (
        <Alert data-wide color="var(--ohma-bad)" role="alert" title={t('tryRefused')}>
          {problems.map(([field, text]) => (
            <p key={field}>
              {of.labels.get(field) ?? field}: {fieldText(text)}
            </p>
          ))}
        </Alert>
      )}
      <div data-wide role="status">
        {outcome && <Steps of={outcome} />}
        {!outcome && testedAt !== null && (
          <p className="ohma-soft">
            {t('tested')} <Moment at={testedAt} />
          </p>
        )}
      </div>
    </FormSection>
  )
}

function Steps({ of: { steps } }: { of: SmtpOutcome }) {
  const { t } = useTranslation('mail')
  return (
    <ul style={{ display: 'grid', gap: 8 }}>
      {steps.map(({ step, ok, reason, detail }) => (
        <li key={step}>
          <Group gap={8} wrap="nowrap" align="flex-start">
            {ok ? (
              <IconCheck size={18} color="var(--ohma-good)" role="img" aria-label={t('step.ok')} style={{ flexShrink: 0 }} />
            ) : (
              <IconX size={18} color="var(--ohma-bad)" role="img" aria-label={t('step.failed')} style={{ flexShrink: 0 }} />
            )}
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {t(`step.${step}`)}
              {reason !== null && <p>{t(`problem.${reason}`)}</p>}
              {detail !== '' && <p className="ohma-soft">{t('serverSays', { detail })}</p>}
            </div>
          </Group>
        </li>
      ))}
    </ul>
  )
}
