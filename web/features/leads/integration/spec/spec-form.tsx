import { Alert } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CALL_STATUSES } from '#contract/leads/call-status.ts'
import { integrationApi, type IntegrationDetail } from '#contract/leads/integration.ts'
import { EXTRACTED } from '#contract/leads/integration-spec.ts'
import { USUAL_WORDS } from '#contract/leads/usual-words.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { CallFields } from './call-fields.tsx'
import { MacroList } from './macro-list.tsx'
import { PreviewCalls } from './preview-calls.tsx'
import { PullFields } from './pull-fields.tsx'
import { Rows } from './rows.tsx'
import { RuleFields } from './rule-fields.tsx'
import { SimulateAnswer } from './simulate-answer.tsx'
import { specOf, specValues } from './spec-values.ts'
import { StepFields } from './step-fields.tsx'

/** How leads are sent, what answers mean, and how it is learned what became of them. */
export function SpecForm({ integration }: { integration: IntegrationDetail }) {
  const { t } = useTranslation('integration')
  const form = useSaveForm({
    endpoint: integrationApi.save,
    record: integration,
    valuesOf: specValues,
    toInput: (values, { version }) => ({
      params: { uuid: integration.uuid },
      body: { spec: specOf(values), note: values.note, version },
    }),
    invalidate: [integrationApi.list, integrationApi.get],
    savedText: t('saved'),
  })
  const { values } = form
  return (
    <PageForm of={form} label={integration.title} action={t('saveDraft')}>
      {integration.mistakes.length > 0 && (
        <Alert color="yellow" title={t('mistakes', { count: integration.mistakes.length })}>
          <ul>
            {integration.mistakes.map(({ path, code, at }) => (
              <li key={`${path} ${code} ${at}`}>
                {t(`mistake.${code}`, { at })} <span className="ohma-soft">({path})</span>
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <FormSection title={t('call')} text={t('callText')}>
        <CallFields of={form} path="request" call={values.request} />
        <MacroList credentials={values.credentials} steps={values.steps} pulls={values.pulls} />
        <PreviewCalls spec={() => specOf(values)} />
      </FormSection>
      <FormSection title={t('answer')} text={t('answerText')}>
        <RuleFields of={form} path="rules" rules={values.rules} />
        {EXTRACTED.map((what) => (
          <LongTextField key={what} of={form} name={`extract.${what}`} label={t(`extract.${what}`)} help={t('placesHelp')} rows={1} />
        ))}
        <SimulateAnswer response={() => specOf(values).response} />
      </FormSection>
      <FormSection title={t('account')} text={t('accountText')}>
        <Rows
          of={form}
          path="credentials"
          label={t('account')}
          count={values.credentials.length}
          blank={{ key: '', label: '', secret: true, required: true }}
          most={30}
          add={t('account.add')}
          columns={4}
        >
          {(index) => (
            <>
              <TextField of={form} name={`credentials.${index}.label`} label={t('account.label')} required />
              <SwitchField of={form} name={`credentials.${index}.secret`} label={t('account.secret')} />
              <TextField
                of={form}
                name={`credentials.${index}.key`}
                label={t('account.key')}
                help={t('account.keyHelp', { macro: `{{cred.${values.credentials[index]?.key ?? ''}}}` })}
                required
              />
              <SwitchField of={form} name={`credentials.${index}.required`} label={t('node.required')} />
            </>
          )}
        </Rows>
      </FormSection>
      <FormSection title={t('steps')} text={t('stepsText')}>
        <StepFields of={form} />
      </FormSection>
      <FormSection title={t('pull')} text={t('pullText')}>
        <PullFields of={form} />
      </FormSection>
      <FormSection title={t('statuses')} text={t('statusesText')}>
        {values.statuses.length === 0 && (
          <details data-wide>
            <summary>{t('statuses.usual', { type: t(`type.${integration.type}`) })}</summary>
            <p className="ohma-soft">
              {Object.entries(USUAL_WORDS[integration.type])
                .map(([word, means]) => `${word} – ${t(`callStatus.${means}`)}`)
                .join(' · ')}
            </p>
          </details>
        )}
        <Rows
          of={form}
          path="statuses"
          label={t('statuses')}
          count={values.statuses.length}
          blank={{ word: '', means: 'in_progress' }}
          most={500}
          add={t('statuses.add')}
          columns={2}
        >
          {(index) => (
            <>
              <TextField of={form} name={`statuses.${index}.word`} label={t('statuses.word')} required />
              <SelectField
                of={form}
                name={`statuses.${index}.means`}
                label={t('statuses.means')}
                options={CALL_STATUSES.map((value) => ({ value, label: t(`callStatus.${value}`) }))}
              />
            </>
          )}
        </Rows>
      </FormSection>
      <FormSection title={t('tables')} text={t('tablesText', { macro: '{{lead.country | lookup:codes}}' })}>
        <Rows
          of={form}
          path="tables"
          label={t('tables')}
          count={values.tables.length}
          blank={{ name: '', rows: '' }}
          most={20}
          add={t('tables.add')}
          columns={2}
        >
          {(index) => (
            <>
              <TextField of={form} name={`tables.${index}.name`} label={t('tables.name')} required />
              <LongTextField of={form} name={`tables.${index}.rows`} label={t('tables.rows')} placeholder={'DE = 49\nAT = 43'} />
            </>
          )}
        </Rows>
      </FormSection>
      <FormSection title={t('note')}>
        <TextField of={form} name="note" label={t('note')} help={t('noteHelp')} wide />
      </FormSection>
    </PageForm>
  )
}
