import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ROLES, STAFF_ROLES } from '#contract/access.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { securityApi } from '#contract/people/security.ts'
import { query } from '#web/api/query.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { SettingForm } from '#web/setting-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { OwnPanels } from '#web/features/people/security/own-panels.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'

/** /settings/security of the network: what it asks of those who sign in; beside it how oneself does. */
export function SecuritySettings() {
  const { t } = useTranslation('security')
  const found = useQuery(query(securityApi.setting, {}))
  return (
    <SettingsPage>
      <UrlTabs
        label={t('title')}
        tabs={[
          {
            id: 'network',
            label: t('settings.network'),
            content: (
              <QueryPage query={found} failed={t('settings.failed')}>
                {(settings) => <SecurityForm settings={settings} />}
              </QueryPage>
            ),
          },
          { id: 'own', label: t('settings.own'), content: <OwnPanels beneath="own" /> },
        ]}
      />
    </SettingsPage>
  )
}

function SecurityForm({ settings }: { settings: CallOutput<typeof securityApi.setting> }) {
  const { t } = useTranslation('security')
  const { t: nameOf } = useTranslation('layout')
  const form = useSaveForm({
    endpoint: securityApi.updateSetting,
    record: settings,
    valuesOf: ({ second_factor, allowed_ips, reveals, contact_exports }) => ({
      second_factor,
      allowed_ips,
      reveals: eachRole((role) => String(reveals[role])),
      contact_exports: eachRole((role) => String(contact_exports[role])),
    }),
    toInput: ({ reveals, contact_exports, ...values }, { version }) => ({
      body: {
        ...values,
        reveals: eachRole((role) => typedNumber(reveals[role])),
        contact_exports: eachRole((role) => typedNumber(contact_exports[role])),
        version,
      },
    }),
    invalidate: [securityApi.setting],
  })
  return (
    <SettingForm of={form} section="security" label={t('title')} changed={settings.changed}>
      <FormSection title={t('factor.title')} text={t('settings.factorText')}>
        <MultiSelectField
          of={form}
          name="second_factor"
          label={t('settings.roles')}
          help={t('settings.rolesHelp')}
          options={ROLES.map((role) => ({ value: role, label: nameOf(`role.${role}`) }))}
          placeholder={t('settings.nobody')}
          wide
        />
      </FormSection>
      <FormSection title={t('addresses.title')} text={t('addresses.text')}>
        {STAFF_ROLES.map((role) => (
          <TagsField
            key={role}
            of={form}
            name={`allowed_ips.${role}`}
            label={nameOf(`role.${role}`)}
            placeholder={t('addresses.anywhere')}
            wide
          />
        ))}
      </FormSection>
      <FormSection title={t('reveals.title')} text={t('reveals.text')}>
        {STAFF_ROLES.map((role) => (
          <NumberField key={role} of={form} name={`reveals.${role}`} label={nameOf(`role.${role}`)} unit={t('reveals.unit')} whole />
        ))}
      </FormSection>
      <FormSection title={t('exports.title')} text={t('exports.text')}>
        {STAFF_ROLES.map((role) => (
          <NumberField
            key={role}
            of={form}
            name={`contact_exports.${role}`}
            label={nameOf(`role.${role}`)}
            unit={t('reveals.unit')}
            whole
          />
        ))}
      </FormSection>
    </SettingForm>
  )
}

function eachRole<Value>(valueOf: (role: (typeof STAFF_ROLES)[number]) => Value) {
  return { admin: valueOf('admin'), head: valueOf('head'), manager: valueOf('manager'), 'team lead': valueOf('team lead') }
}
