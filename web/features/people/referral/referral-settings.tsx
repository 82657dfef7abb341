import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { referralSettingApi } from '#contract/people/referral.ts'
import { query } from '#web/api/query.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { SettingForm } from '#web/setting-form.tsx'

/** /settings/referrals of the network: what affiliates get for bringing others. */
export function ReferralSettings() {
  const { t } = useTranslation('referral')
  const found = useQuery(query(referralSettingApi.settings, {}))
  return (
    <SettingsPage>
      <QueryPage query={found} failed={t('failed')}>
        {(settings) => <ReferralForm settings={settings} />}
      </QueryPage>
    </SettingsPage>
  )
}

function ReferralForm({ settings }: { settings: CallOutput<typeof referralSettingApi.settings> }) {
  const { t } = useTranslation('referral')
  const form = useSaveForm({
    endpoint: referralSettingApi.updateSettings,
    record: settings,
    valuesOf: ({ on, percent, percent2, percent3, months, tags }) => ({ on, percent, percent2, percent3, months: String(months), tags }),
    toInput: (values, { version }) => ({ body: { ...values, months: typedNumber(values.months), version } }),
    invalidate: [referralSettingApi.settings],
  })
  return (
    <SettingForm of={form} section="referrals" label={t('title')} changed={settings.changed}>
      <FormSection title={t('title')} text={t('text')}>
        <SwitchField of={form} name="on" label={t('on')} help={t('onHelp')} wide />
        <NumberField of={form} name="percent" label={t('percent')} unit="%" help={t('percentHelp')} required />
        <NumberField of={form} name="percent2" label={t('percent2')} unit="%" help={t('percent2Help')} required />
        <NumberField of={form} name="percent3" label={t('percent3')} unit="%" help={t('percent3Help')} required />
        <NumberField of={form} name="months" label={t('months')} unit={t('monthsUnit')} help={t('monthsHelp')} whole required />
        <TagsField of={form} name="tags" label={t('tags')} help={t('tagsHelp')} placeholder={t('everybody')} wide />
      </FormSection>
      <p className="ohma-soft">{t('money')}</p>
    </SettingForm>
  )
}
