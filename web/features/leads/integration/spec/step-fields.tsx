import { useTranslation } from '#web/i18n/use-translation.ts'
import { IntegerField } from './integer-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { CallFields } from './call-fields.tsx'
import { RuleFields } from './rule-fields.tsx'
import { Rows } from './rows.tsx'
import { BLANK_REQUEST, type SpecValues } from './spec-values.ts'
import classes from './spec.module.css'

const BLANK = {
  name: 'login',
  request: BLANK_REQUEST,
  rules: [{ when: [{ at: '', op: 'eq', value: '2xx' }], outcome: 'accepted', reason: '' }],
  error: '',
  more: {},
  give: [{ name: 'token', places: 'token' }],
  keep_seconds: 0,
  expires: '',
}

/** The calls before that of the lead, such as a log-in, and what they give to those after them. */
export function StepFields({ of }: { of: SaveForm<SpecValues> }) {
  const { t } = useTranslation('integration')
  const { steps } = of.values
  return (
    <Rows of={of} path="steps" label={t('steps')} count={steps.length} blank={BLANK} most={5} add={t('steps.add')} ordered columns={2}>
      {(index) => {
        const step = steps[index]
        if (step === undefined) return null
        return (
          <div className={classes.box} style={{ gridColumn: 'span 2' }}>
            <div className={classes.fields}>
              <TextField of={of} name={`steps.${index}.name`} label={t('step.name')} help={t('step.nameHelp')} required />
              <IntegerField of={of} name={`steps.${index}.keep_seconds`} label={t('step.keep')} help={t('step.keepHelp')} />
              <CallFields of={of} path={`steps.${index}.request`} call={step.request} />
            </div>
            <RuleFields of={of} path={`steps.${index}.rules`} rules={step.rules} />
            <div className={classes.fields}>
              <LongTextField of={of} name={`steps.${index}.error`} label={t('extract.error_text')} help={t('placesHelp')} rows={1} />
              {step.keep_seconds > 0 && (
                <LongTextField of={of} name={`steps.${index}.expires`} label={t('step.expires')} help={t('step.expiresHelp')} rows={1} />
              )}
            </div>
            <Rows
              of={of}
              path={`steps.${index}.give`}
              label={t('step.give')}
              count={step.give.length}
              blank={{ name: '', places: '' }}
              most={10}
              add={t('step.addGive')}
              columns={2}
            >
              {(at) => (
                <>
                  <TextField of={of} name={`steps.${index}.give.${at}.name`} label={t('step.giveName')} required />
                  <LongTextField of={of} name={`steps.${index}.give.${at}.places`} label={t('places')} rows={1} required />
                </>
              )}
            </Rows>
          </div>
        )
      }}
    </Rows>
  )
}
