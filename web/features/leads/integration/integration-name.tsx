import { useTranslation } from '#web/i18n/use-translation.ts'
import { integrationApi, type integrationFields, type IntegrationDetail } from '#contract/leads/integration.ts'
import { useConstants } from '#web/api/constants.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** What staff call an integration, and what they note of it. */
export function IntegrationName({ integration }: { integration: IntegrationDetail }) {
  const { t } = useTranslation('integration')
  const { integration_types: types } = useConstants()
  const form = useSaveForm({
    endpoint: integrationApi.update,
    record: integration,
    valuesOf: ({ title, type, notes }) => ({ title, type, notes }) satisfies Record<keyof typeof integrationFields, string>,
    toInput: (values, { version }) => ({ params: { uuid: integration.uuid }, body: { ...values, version } }),
    invalidate: [integrationApi.list, integrationApi.get],
  })
  return (
    <PageForm of={form} label={integration.title} action={t('save')}>
      <FormSection title={t('tab.name')}>
        <TextField of={form} name="title" label={t('name')} required />
        <SelectField
          of={form}
          name="type"
          label={t('type')}
          options={types.map(({ value }) => ({ value, label: t(`type.${value}` as 'type.generic') }))} // those are the constants
          help={t('typeHelp')}
          required
        />
        <LongTextField of={form} name="notes" label={t('notes')} wide />
      </FormSection>
    </PageForm>
  )
}
