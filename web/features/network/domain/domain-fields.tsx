import { useTranslation } from '#web/i18n/use-translation.ts'
import type { DomainKind } from '#contract/network/domain.ts'
import { CertificateField, type Certified } from '#web/features/network/domain/certificate-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { runtime } from '#web/shell/runtime.ts'

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
