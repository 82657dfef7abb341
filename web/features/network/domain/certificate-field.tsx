import { useTranslation } from '#web/i18n/use-translation.ts'
import { CERTIFICATE_MODES } from '#contract/network/domain.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { useRuntime } from '#web/shell/runtime.ts'

export type Certified = { certificate: (typeof CERTIFICATE_MODES)[number] }

/** Who gets the certificate of a domain; where this server gets none there is nothing to choose. */
export function CertificateField({ of: form }: { of: SaveForm<Certified> }) {
  const { t } = useTranslation('domain')
  const { acme } = useRuntime()
  // one that was left to this server while it got them is led out of that
  if (!acme && form.values.certificate === 'proxy') return <p className="ohma-soft">{t('certificate.outside')}</p>
  return (
    <SelectField
      of={form}
      name="certificate"
      label={t('certificate')}
      help={acme ? t(`certificateHelp.${form.values.certificate}`) : t('certificate.outside')}
      options={CERTIFICATE_MODES.map((value) => ({ value, label: t(`certificate.${value}`) }))}
    />
  )
}
