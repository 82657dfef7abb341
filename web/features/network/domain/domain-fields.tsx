import { useTranslation } from 'react-i18next'
import { CERTIFICATE_MODES, type DomainKind } from '#contract/network/domain.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { runtime, useRuntime } from '#web/shell/runtime.ts'

type Certified = { certificate: (typeof CERTIFICATE_MODES)[number] }

/** What a new domain begins with: its certificate from this server where it gets them, else from what stands in front. */
export const newDomain = (): Certified & { host: string } => ({ host: '', certificate: runtime().acme ? 'acme' : 'proxy' })

/** The name of a new domain, and who gets its certificate. */
export function NewDomainFields({ of: form, kind }: { of: SaveForm<Certified & { host: string }>; kind: DomainKind }) {
  const { t } = useTranslation('domain')
  return (
    <>
      <TextField
        of={form}
        name="host"
        label={t('host')}
        help={t('hostHelp')}
        placeholder={kind === 'panel' ? 'panel.example.com' : 'go.example.com'}
        required
      />
      <CertificateField of={form} />
    </>
  )
}

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
