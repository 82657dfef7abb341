import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CONSENT_FIELDS, CONSENT_MODES } from '#contract/leads/api-offer.ts'
import { integrationType } from '#contract/leads/integration.ts'
import { INTEGRATION_TYPES, type IntegrationType } from '#contract/leads/integration-type.ts'
import { useConstants } from '#web/api/constants.ts'
import { fieldText } from '#web/i18n/language.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'
import type { OfferValues } from '#web/features/offers/offer/form/offer-values.ts'
import { GroupEditor } from './group-editor.tsx'
import { blankGroup, goalsOfType, type ApiOfferValues } from './lead-values.ts'

/** What of an offer is about leads: their kind, and to whom they go. The goals of a new one follow the kind until somebody writes others. */
export function LeadFields({ of, isNew }: { of: SaveForm<ApiOfferValues>; isNew: boolean }) {
  const { t } = useTranslation('offer')
  const { integration_types } = useConstants()
  const { groups, integration_type: type, goals } = of.values
  of.labels.set('groups', t('lead.section'))
  const follow = (next: IntegrationType) => {
    const usual = goalsOfType(type).map(({ code, title }) => `${code} ${title}`)
    const untouched = goals.map(({ code, title }) => `${code} ${title}`).join('\n') === usual.join('\n')
    if (isNew && untouched) of.form.setFieldValue('goals', goalsOfType(next))
  }
  return (
    <FormSection title={t('lead.section')} text={t('lead.sectionText')}>
      <SelectField
        of={of}
        name="integration_type"
        label={t('lead.type')}
        options={integration_types.map(({ value }) => ({ value, label: t(`lead.kind.${value}` as 'lead.kind.generic') }))} // those are the constants
        help={t('lead.typeHelp', { fields: INTEGRATION_TYPES[type].required.map((name) => t(`lead.field.${name}`)).join(', ') })}
        onPick={(value) => follow(integrationType.parse(value))}
        required
      />
      <NumberField of={of} name="wait_hours" label={t('lead.wait')} unit={t('lead.hours')} help={t('lead.waitHelp')} whole required />
      <NumberField
        of={of}
        name="repeat_days"
        label={t('lead.repeat')}
        unit={t('days')}
        placeholder={t('lead.never')}
        help={t('lead.repeatHelp')}
        whole
      />
      <SelectField
        of={of}
        name="consent.mode"
        label={t('lead.consent')}
        options={CONSENT_MODES.map((value) => ({ value, label: t(`lead.consent.${value}`) }))}
        help={t('lead.consentHelp')}
      />
      {of.values.consent.mode !== 'off' && (
        <MultiSelectField
          of={of}
          name="consent.fields"
          label={t('lead.consentFields')}
          options={CONSENT_FIELDS.map((value) => ({ value, label: t(`lead.consentField.${value}`) }))}
          placeholder={t('lead.consentDate')}
          help={t('lead.consentFieldsHelp')}
        />
      )}
      <TextField of={of} name="thank_you_url" label={t('lead.thanks')} placeholder="https://" help={t('lead.thanksHelp')} />
      <div className={classes.rows} data-wide>
        {groups.map((group, at) => (
          <GroupEditor key={group.key} of={of} at={at} />
        ))}
        {typeof of.form.errors['groups'] === 'string' && <p className={classes.error}>{fieldText(of.form.errors['groups'])}</p>}
        <Button
          id={fieldId(of.id, 'groups')}
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={groups.length >= 10}
          onClick={() => of.form.insertListItem('groups', blankGroup())}
          style={{ alignSelf: 'start' }}
        >
          {t('lead.addGroup')}
        </Button>
      </div>
    </FormSection>
  )
}

/** The fields an API offer has in common with a direct link. */
export function sharedFields(of: SaveForm<ApiOfferValues>): SaveForm<OfferValues> {
  return of as unknown as SaveForm<OfferValues> // it holds all of them and more; what a form takes and gives is one type to the compiler
}
