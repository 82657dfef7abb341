import { Alert, Button, Group } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { SMTP_SECURITIES, smtpApi } from '#contract/network/smtp.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { NEW_KEY, smtpInput, smtpValues } from '#web/features/network/mail/smtp-values.ts'
import { SmtpTry } from '#web/features/network/mail/smtp-try.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { SettingForm } from '#web/setting-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'

type Smtp = CallOutput<typeof smtpApi.read>

/** The server, the sender, the signature; beneath them both can be tried before they are saved. */
export function SmtpForm({ smtp }: { smtp: Smtp }) {
  const { t } = useTranslation('mail')
  const form = useSaveForm({
    endpoint: smtpApi.update,
    record: smtp,
    valuesOf: smtpValues,
    toInput: smtpInput,
    invalidate: [smtpApi.read, dashboardApi.firstSteps],
  })
  const { values } = form
  const locked = !smtp.may_set_secrets
  const secret = (set: boolean) => (locked ? t('adminOnly') : t(set ? 'secret.set' : 'secret.none'))
  return (
    <SettingForm of={form} section="smtp" label={t('title')} changed={smtp.changed}>
      <FormSection title={t('section.server')} text={locked ? t('section.serverLocked') : t('section.serverText')}>
        <TextField of={form} name="host" label={t('host')} placeholder="smtp.example.com" help={t('hostHelp')} disabled={locked} />
        <NumberField of={form} name="port" label={t('port')} help={t('portHelp')} whole required disabled={locked} />
        <SelectField
          of={form}
          name="security"
          label={t('security')}
          options={SMTP_SECURITIES.map((value) => ({ value, label: t(`security.${value}`) }))}
          required
          disabled={locked}
        />
        <NumberField of={form} name="per_minute" label={t('perMinute')} help={t('perMinuteHelp')} whole required />
        <TextField of={form} name="user" label={t('user')} help={t('userHelp')} autoComplete="off" disabled={locked} />
        <PasswordField
          of={form}
          name="password"
          label={t('password')}
          help={secret(smtp.password_set)}
          autoComplete="new-password"
          disabled={locked}
        />
        {values.security === 'none' && (
          <Alert color="var(--ohma-bad)" role="note" data-wide title={t('clear.title')}>
            {t('clear.text')}
          </Alert>
        )}
      </FormSection>
      <FormSection title={t('section.sender')} text={t('section.senderText')}>
        <TextField of={form} name="sender_email" label={t('senderEmail')} type="email" placeholder="partners@example.com" />
        <TextField of={form} name="sender_name" label={t('senderName')} />
        <TextField of={form} name="reply_to" label={t('replyTo')} type="email" help={t('replyToHelp')} />
      </FormSection>
      <FormSection title={t('section.dkim')} text={t('section.dkimText')}>
        <TextField of={form} name="dkim_domain" label={t('dkimDomain')} placeholder="example.com" disabled={locked} />
        <TextField of={form} name="dkim_selector" label={t('dkimSelector')} placeholder="ohma" disabled={locked} />
        {values.dkim_key === NEW_KEY ? (
          <Alert color="var(--ohma-waiting)" role="note" data-wide>
            <Group justify="space-between">
              {t('dkimNew')}
              <Button size="compact-sm" variant="default" onClick={() => form.form.setFieldValue('dkim_key', '')}>
                {t('dkimNotNew')}
              </Button>
            </Group>
          </Alert>
        ) : (
          <>
            <LongTextField
              of={form}
              name="dkim_key"
              label={t('dkimKey')}
              placeholder="-----BEGIN PRIVATE KEY-----"
              help={secret(smtp.dkim_record !== null)}
              disabled={locked}
              wide
            />
            {!locked && (
              <Button variant="default" onClick={() => form.form.setFieldValue('dkim_key', NEW_KEY)} style={{ justifySelf: 'start' }}>
                {t('dkimMake')}
              </Button>
            )}
          </>
        )}
        {smtp.dkim_record !== null && (
          <div data-wide style={{ display: 'grid', gap: 10 }}>
            <p className="ohma-soft">{t('dkimPublish')}</p>
            <CopyField label={t('dkimName')} text={smtp.dkim_record.name} />
            <CopyField label={t('dkimValue')} text={smtp.dkim_record.value} />
          </div>
        )}
      </FormSection>
      <SmtpTry of={form} toInput={() => smtpInput(form.values, smtp)} testedAt={smtp.tested_at} />
    </SettingForm>
  )
}
