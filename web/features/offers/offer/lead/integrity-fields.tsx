import { useTranslation } from '#web/i18n/use-translation.ts'
import { INTEGRITY_ACTIONS, INTEGRITY_CHECKS } from '#contract/leads/integrity.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { IntegrityCheck } from '#contract/leads/integrity.ts'
import classes from './lead.module.css'
import type { ApiOfferValues } from './lead-values.ts'

type Props = { of: SaveForm<ApiOfferValues> }

/** What is looked at before a lead is offered to anybody, and what follows where something is found. */
export function IntegrityFields({ of }: Props) {
  const { t } = useTranslation('offer')
  return (
    <FormSection title={t('integrity.section')} text={t('integrity.text')}>
      <div className={classes.checks} data-wide>
        {INTEGRITY_CHECKS.map((check) => (
          <div key={check} role="group" aria-label={t(`integrity.${check}`)} className={classes.check}>
            <SelectField
              of={of}
              name={`integrity.${check}.action`}
              label={t(`integrity.${check}`)}
              options={INTEGRITY_ACTIONS.map((value) => ({ value, label: t(`integrity.action.${value}`) }))}
              help={t(`integrity.help.${check}`)}
            />
            {of.values.integrity[check].action !== 'off' && <Terms of={of} check={check} />}
          </div>
        ))}
      </div>
    </FormSection>
  )
}

/** By what a check goes. */
function Terms({ of, check }: Props & { check: IntegrityCheck }) {
  const { t } = useTranslation('offer')
  if (check === 'telephone') return <SwitchField of={of} name="integrity.telephone.mobile_only" label={t('integrity.mobileOnly')} />
  if (check === 'mail') return <SwitchField of={of} name="integrity.mail.roles" label={t('integrity.roles')} />
  if (check === 'duplicate')
    return (
      <>
        <SelectField
          of={of}
          name="integrity.duplicate.within"
          label={t('integrity.within')}
          options={(['offer', 'advertisers', 'network'] as const).map((value) => ({ value, label: t(`integrity.within.${value}`) }))}
        />
        <NumberField of={of} name="integrity.duplicate.days" label={t('integrity.days')} unit={t('days')} whole required />
        <NumberField of={of} name="integrity.duplicate.most" label={t('integrity.most')} whole required />
      </>
    )
  if (check === 'velocity')
    return (
      <>
        <NumberField of={of} name="integrity.velocity.minutes" label={t('integrity.minutes')} unit={t('integrity.min')} whole required />
        {(['per_ip', 'per_device', 'per_affiliate'] as const).map((name) => (
          <NumberField
            key={name}
            of={of}
            name={`integrity.velocity.${name}`}
            label={t(`integrity.${name}`)}
            placeholder={t('integrity.any')}
            whole
          />
        ))}
      </>
    )
  return null
}
