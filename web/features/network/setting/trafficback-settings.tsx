import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { settingApi } from '#contract/network/setting.ts'
import { REFUSAL_GROUPS, type RefusalGroup } from '#contract/traffic/refusal.ts'
import { query } from '#web/api/query.ts'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { MacroField } from '#web/kit/fields/macro/macro-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { SettingForm } from '#web/setting-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { RefusedClicks } from './refused-clicks.tsx'

// the keys of a constant are its own names
const GROUPS = Object.keys(REFUSAL_GROUPS) as RefusalGroup[]

/** Where visitors go whose click is refused. */
export function TrafficbackSettings() {
  const { t } = useTranslation('setting')
  const found = useQuery(query(settingApi.trafficback, {}))
  return (
    <SettingsPage>
      <QueryPage query={found} failed={t('failed')}>
        {(settings) => <TrafficbackForm settings={settings} />}
      </QueryPage>
      <RefusedClicks />
    </SettingsPage>
  )
}

function TrafficbackForm({ settings }: { settings: CallOutput<typeof settingApi.trafficback> }) {
  const { t } = useTranslation('setting')
  const form = useSaveForm({
    endpoint: settingApi.updateTrafficback,
    record: settings,
    valuesOf: ({ version: _version, changed: _changed, ...addresses }) => addresses,
    toInput: (values, { version }) => ({ body: { ...values, version } }),
    invalidate: [settingApi.trafficback],
  })
  return (
    <SettingForm of={form} section="trafficback" label={t('trafficback.title')} changed={settings.changed}>
      <FormSection title={t('trafficback.title')} text={t('trafficback.text')}>
        <MacroField
          of={form}
          name="url"
          place="trafficback"
          label={t('trafficback.url')}
          placeholder="https://example.com/?reason={reason}&sub={sub1}"
          help={t('trafficback.help')}
          wide
        />
      </FormSection>
      <FormSection title={t('trafficback.byReason')} text={t('trafficback.byReasonText')}>
        {GROUPS.map((group) => (
          <MacroField
            key={group}
            of={form}
            name={`${group}_url`}
            place="trafficback"
            label={t(`trafficback.group.${group}`)}
            help={t(`trafficback.groupHelp.${group}`)}
          />
        ))}
      </FormSection>
    </SettingForm>
  )
}
