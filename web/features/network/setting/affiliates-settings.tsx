import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { offerPrivacy } from '#contract/offers/offer-fields.ts'
import { affiliateSettingApi, FIRST_STATUSES, MANAGER_RULES } from '#contract/people/affiliate-setting.ts'
import { managerApi } from '#contract/people/manager.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { SettingForm } from '#web/setting-form.tsx'

/** /settings/affiliates: what new affiliates begin with, and what affiliates do and see by themselves. */
export function AffiliatesSettings() {
  const { t } = useTranslation('setting')
  const found = useQuery(query(affiliateSettingApi.settings, {}))
  return (
    <SettingsPage>
      <QueryPage query={found} failed={t('failed')}>
        {(settings) => <AffiliatesForm settings={settings} />}
      </QueryPage>
    </SettingsPage>
  )
}

function AffiliatesForm({ settings }: { settings: CallOutput<typeof affiliateSettingApi.settings> }) {
  const { t } = useTranslation('setting')
  const { currency } = useConstants()
  const form = useSaveForm({
    endpoint: affiliateSettingApi.updateSettings,
    record: settings,
    valuesOf: ({ version: _version, changed: _changed, ...stored }) => ({ ...stored, time_zone: stored.time_zone ?? '' }),
    toInput: (values, { version }) => ({
      body: {
        ...values,
        time_zone: values.time_zone || null,
        manager_uuid: values.manager === 'one' ? values.manager_uuid : null,
        version,
      },
    }),
    invalidate: [affiliateSettingApi.settings, affiliateSettingApi.defaults],
  })
  const { manager } = form.values
  return (
    <SettingForm of={form} section="affiliates" label={t('affiliates.title')} changed={settings.changed}>
      <FormSection title={t('affiliates.new')} text={t('affiliates.newText')}>
        <SelectField
          of={form}
          name="status"
          label={t('affiliates.status')}
          options={FIRST_STATUSES.map((value) => ({ value, label: t(`affiliates.status.${value}`) }))}
          help={t('affiliates.statusHelp')}
          required
        />
        <ZoneField of={form} name="time_zone" label={t('affiliates.zone')} help={t('affiliates.zoneHelp')} />
        <SelectField
          of={form}
          name="currency"
          label={t('affiliates.currency')}
          options={currency}
          help={t('affiliates.currencyHelp')}
          required
        />
        <SelectField
          of={form}
          name="manager"
          label={t('affiliates.manager')}
          options={MANAGER_RULES.map((value) => ({ value, label: t(`affiliates.manager.${value}`) }))}
          help={t(`affiliates.managerHelp.${manager}`)}
          required
        />
        {manager === 'one' && (
          <ReferenceField
            of={form}
            name="manager_uuid"
            label={t('affiliates.managerWho')}
            endpoint={managerApi.options}
            chosen={null}
            required
          />
        )}
      </FormSection>
      <FormSection title={t('affiliates.offers')} text={t('affiliates.offersText')}>
        <SelectField
          of={form}
          name="offer_privacy"
          label={t('affiliates.privacy')}
          options={offerPrivacy.options.map((value) => ({ value, label: t(`affiliates.privacy.${value}`) }))}
          required
        />
        <SwitchField of={form} name="access_message" label={t('affiliates.message')} help={t('affiliates.messageHelp')} wide />
      </FormSection>
      <FormSection title={t('affiliates.see')}>
        <SwitchField of={form} name="shows_manager" label={t('affiliates.showsManager')} help={t('affiliates.showsManagerHelp')} wide />
      </FormSection>
    </SettingForm>
  )
}
