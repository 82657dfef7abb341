import { Button, Group, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { macrosOf, mailTemplateApi, type mailTemplate } from '#contract/network/mail-template.ts'
import { query, useSave } from '#web/api/query.ts'
import { fieldText } from '#web/i18n/language.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { fieldId, useSaveForm } from '#web/kit/form/use-save-form.ts'
import { LastChange } from '#web/last-change.tsx'
import { notify } from '#web/notify.ts'

type Template = z.output<typeof mailTemplate>
type TemplateFormProps = { template: Template; title: string; onClose: () => void }

/** The text of one event in one language: macros are put in by a click, and it is shown as it will arrive while one types. */
export function TemplateForm({ template, title, onClose }: TemplateFormProps) {
  const { t } = useTranslation('mail')
  const { event, language, version } = template
  const form = useSaveForm({
    endpoint: mailTemplateApi.update,
    initial: { subject: template.subject, body: template.body },
    toInput: (values) => ({ body: { ...values, event, language, version } }),
    invalidate: [mailTemplateApi.list],
    onSaved: onClose,
  })
  const reset = useSave(mailTemplateApi.reset, {
    invalidate: [mailTemplateApi.list],
    onSuccess: () => {
      notify.success(t('texts.wasReset'))
      onClose()
    },
  })
  const insert = (name: string) => {
    const box = document.getElementById(fieldId(form.id, 'body'))
    const { body } = form.values
    const at = box instanceof HTMLTextAreaElement ? [box.selectionStart, box.selectionEnd] : [body.length, body.length]
    form.form.setFieldValue('body', `${body.slice(0, at[0])}{${name}}${body.slice(at[1])}`)
    requestAnimationFrame(() => box?.focus())
  }
  const askReset = async () => {
    const sure = { title: t('texts.resetAsk'), text: t('texts.resetText'), action: t('texts.reset'), danger: true }
    if (await confirm(sure)) reset.mutate({ body: { event, language, version } })
  }
  return (
    <SideForm of={form} title={title} action={t('save')} onClose={onClose}>
      <TextField of={form} name="subject" label={t('subject')} required />
      <LongTextField of={form} name="body" label={t('body')} help={t('bodyHelp')} rows={8} required />
      <Group gap={6} role="group" aria-label={t('macros')}>
        {macrosOf(event).map((name) => (
          <Button key={name} size="compact-xs" variant="default" title={t(`macro.${name}`)} onClick={() => insert(name)}>
            {`{${name}}`}
          </Button>
        ))}
      </Group>
      <Preview event={event} language={language} subject={form.values.subject} body={form.values.body} />
      <LastChange of={{ kind: 'mail_template', part: `${event} ${language}` }} title={title} />
      {template.own && (
        <Button variant="subtle" color="red" loading={reset.isPending} onClick={() => void askReset()} style={{ justifySelf: 'start' }}>
          {t('texts.reset')}
        </Button>
      )}
    </SideForm>
  )
}

/** A frame without rights: whatever a text holds, nothing of it runs or reaches the panel. */
function Preview(props: Pick<Template, 'event' | 'language' | 'subject' | 'body'>) {
  const { t } = useTranslation('mail')
  const [text] = useDebouncedValue(props, 400)
  const found = useQuery({
    ...query(mailTemplateApi.preview, { body: text }, { quiet: true }),
    placeholderData: (before) => before,
    retry: false,
  })
  const wrong = found.error && Object.values(found.error.fields)[0]
  return (
    <Stack gap={6}>
      <Text fw={550} fz="sm">
        {t('preview')}
      </Text>
      {wrong ? (
        <Text fz="sm" c="var(--ohma-bad)" role="status">
          {fieldText(wrong)}
        </Text>
      ) : (
        <>
          <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {found.data?.subject}
          </Text>
          <iframe
            title={t('preview')}
            sandbox=""
            srcDoc={found.data?.html ?? ''}
            style={{ width: '100%', height: 380, border: '1px solid var(--ohma-line, #d1d5db)', borderRadius: 8, background: '#f3f4f6' }}
          />
        </>
      )}
    </Stack>
  )
}
