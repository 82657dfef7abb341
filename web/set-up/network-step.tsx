import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { settingApi } from '#contract/network/setting.ts'
import { authApi } from '#contract/people/auth.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { ColourField } from '#web/features/network/setting/colour-field.tsx'
import { LogoField } from '#web/features/network/setting/logo-field.tsx'
import { LANGUAGES } from '#web/i18n/language.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { useSession } from '#web/shell/session.ts'
import { runtime, setRuntime } from '#web/shell/runtime.ts'
import type { StepProps } from './steps.ts'
import { StepForm } from './step-form.tsx'

/** How the network is called, looks, and counts. */
export function NetworkStep(props: StepProps) {
  const { t } = useTranslation('setUp')
  const found = useQuery(query(settingApi.general, {}))
  return (
    <QueryPage query={found} failed={t('network.failed')}>
      {(general) => <NetworkForm general={general} {...props} />}
    </QueryPage>
  )
}

type NetworkFormProps = StepProps & { general: CallOutput<typeof settingApi.general> }

function NetworkForm({ general, there, next, back }: NetworkFormProps) {
  const { t } = useTranslation('setUp')
  const { t: label } = useTranslation('setting')
  const { currency, time_zones: zones } = useConstants()
  const session = useSession()
  const form = useSaveForm({
    endpoint: settingApi.updateGeneral,
    record: general,
    // nobody has said yet where the network is and whom to write to: most likely where its first admin sits, and to them
    valuesOf: (stored) => ({
      ...stored,
      ...(stored.version === 0 && { time_zone: ownZone(zones), contact_email: stored.contact_email || session.email }),
    }),
    toInput: (values, { version }) => ({ body: { ...values, version } }),
    invalidate: [settingApi.general, dashboardApi.firstSteps, authApi.me],
    onSaved: ({ partner_title, logo, colour, language }) => {
      setRuntime({ ...runtime(), partner_title, logo, colour, language })
      next()
    },
  })
  const known = there.steps?.some(({ id, done }) => id === 'settings' && done)
  return (
    <StepForm of={form} label={t('step.network')} action={t('save')} ways={{ back, skip: known ? next : undefined }}>
      <FormSection title={t('network.brand')}>
        <TextField of={form} name="partner_title" label={label('partnerTitle')} required />
        <ColourField of={form} name="colour" label={label('colour')} required />
        <TextField of={form} name="contact_email" label={label('contactEmail')} type="email" help={t('network.contactHelp')} />
        <LogoField of={form} name="logo" label={label('logo')} alt={label('logoAlt')} help={label('logoHelp')} wide />
      </FormSection>
      <FormSection title={t('network.figures')} text={t('network.figuresText')}>
        <SelectField of={form} name="base_currency" label={label('baseCurrency')} options={currency} required />
        <ZoneField of={form} name="time_zone" label={t('network.zone')} required />
        <SelectField of={form} name="language" label={label('language')} options={[...LANGUAGES]} help={label('languageHelp')} required />
      </FormSection>
    </StepForm>
  )
}

/** The zone of this browser as the network calls it: some browsers still say Europe/Kiev. */
function ownZone(zones: readonly { value: string }[]): string {
  const nameOf = (timeZone?: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  const own = nameOf()
  return (zones.find(({ value }) => value === own) ?? zones.find(({ value }) => nameOf(value) === own))?.value ?? 'UTC'
}
