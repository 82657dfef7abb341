import { useTranslation } from 'react-i18next'
import { CERTIFICATE_MODES, DOMAIN_KINDS, domainApi, type DomainKind } from '#contract/network/domain.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Adds a domain; how it is verified is told once it is there. */
export function DomainCreate({ onClose, onMade }: { onClose: () => void; onMade: (uuid: string) => void }) {
  const { t } = useTranslation('domain')
  const initial: { host: string; kind: DomainKind; certificate: (typeof CERTIFICATE_MODES)[number] } = {
    host: '',
    kind: 'tracking',
    certificate: 'proxy',
  }
  const form = useSaveForm({
    endpoint: domainApi.create,
    initial,
    toInput: (values) => ({ body: values }),
    invalidate: [domainApi.list],
    onSaved: ({ uuid }) => onMade(uuid),
    savedText: t('added'),
  })
  return (
    <SideForm of={form} title={t('add')} action={t('add')} onClose={onClose}>
      <TextField of={form} name="host" label={t('host')} help={t('hostHelp')} placeholder="go.example.com" required />
      <SelectField
        of={form}
        name="kind"
        label={t('kind')}
        help={t(`kindHelp.${form.values.kind}`)}
        options={DOMAIN_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      <SelectField
        of={form}
        name="certificate"
        label={t('certificate')}
        help={t(`certificateHelp.${form.values.certificate}`)}
        options={CERTIFICATE_MODES.map((value) => ({ value, label: t(`certificate.${value}`) }))}
      />
    </SideForm>
  )
}
