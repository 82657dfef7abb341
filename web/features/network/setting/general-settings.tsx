import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { settingApi } from '#contract/network/setting.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { ColourField } from '#web/features/network/setting/colour-field.tsx'
import { LogoField } from '#web/features/network/setting/logo-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { SettingForm } from '#web/setting-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { LANGUAGES, offerLanguages } from '#web/i18n/language.ts'
import { AccentCheck } from './accent-check.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { runtime, setRuntime } from '#web/shell/runtime.ts'

type General = CallOutput<typeof settingApi.general>

/** How the network presents itself, and what its figures are counted in. */
export function GeneralSettings() {
  const { t } = useTranslation('setting')
  const found = useQuery(query(settingApi.general, {}))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {(general) => <GeneralForm general={general} />}
    </QueryPage>
  )
}

function GeneralForm({ general }: { general: General }) {
  const { t } = useTranslation('setting')
  const { currency } = useConstants()
  const form = useSaveForm({
    endpoint: settingApi.updateGeneral,
    record: general,
    valuesOf: (stored) => ({
      ...stored,
      address_days: String(stored.address_days),
      click_months: String(stored.click_months),
      postback_days: String(stored.postback_days),
    }),
    toInput: (values, { version }) => ({
      body: {
        ...values,
        version,
        address_days: typedNumber(values.address_days),
        click_months: typedNumber(values.click_months),
        postback_days: typedNumber(values.postback_days),
      },
    }),
    invalidate: [settingApi.general],
    // the panel wears its new name and colour at once
    onSaved: ({ partner_title, logo, colour, language, languages }) => {
      setRuntime({ ...runtime(), partner_title, logo, colour, language, languages })
      offerLanguages(languages)
      // the address stays: browsers ask again for another one only
      document.querySelector('link[rel=icon]')?.setAttribute('href', `/favicon?${Date.now()}`)
    },
  })
  return (
    <SettingForm of={form} section="general" label={t('title')} changed={general.changed}>
      <FormSection title={t('section.brand')} text={t('section.brandText')}>
        <TextField of={form} name="partner_title" label={t('partnerTitle')} required />
        <ColourField of={form} name="colour" label={t('colour')} help={t('colourHelp')} required />
        <AccentCheck colour={form.values.colour} />
        <LogoField of={form} name="logo" label={t('logo')} help={t('logoHelp')} alt={t('logoAlt')} />
        <LogoField of={form} name="favicon" label={t('favicon')} help={t('faviconHelp')} alt={t('faviconAlt')} />
      </FormSection>
      <FormSection title={t('section.figures')} text={t('section.figuresText')}>
        <ZoneField of={form} name="time_zone" label={t('time_zone')} required />
        <SelectField of={form} name="base_currency" label={t('baseCurrency')} options={currency} required />
        {form.values.base_currency !== general.base_currency && (
          <Alert color="var(--ohma-waiting)" role="status" data-wide title={t('rebase.title', { currency: form.values.base_currency })}>
            {t('rebase.text', { from: general.base_currency, to: form.values.base_currency })}
          </Alert>
        )}
      </FormSection>
      <FormSection title={t('section.people')}>
        <MultiSelectField of={form} name="languages" label={t('languages')} options={LANGUAGES} help={t('languagesHelp')} required />
        <SelectField
          of={form}
          name="language"
          label={t('language')}
          options={LANGUAGES.filter(({ value }) => form.values.languages.includes(value))}
          help={t('languageHelp')}
          required
        />
        <TextField of={form} name="contact_email" label={t('contactEmail')} type="email" help={t('contactEmailHelp')} />
      </FormSection>
      <FormSection title={t('section.privacy')} text={t('section.privacyText')}>
        <NumberField
          of={form}
          name="address_days"
          label={t('addressDays')}
          help={t('addressDaysHelp')}
          unit={t('unit.days')}
          whole
          required
        />
        <NumberField
          of={form}
          name="click_months"
          label={t('clickMonths')}
          help={t('clickMonthsHelp')}
          unit={t('unit.months')}
          whole
          required
        />
        <NumberField
          of={form}
          name="postback_days"
          label={t('postbackDays')}
          help={t('postbackDaysHelp')}
          unit={t('unit.days')}
          whole
          required
        />
        <SwitchField of={form} name="whole_addresses" label={t('wholeAddresses')} help={t('wholeAddressesHelp')} wide />
      </FormSection>
    </SettingForm>
  )
}
