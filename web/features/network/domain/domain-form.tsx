import { useTranslation } from '#web/i18n/use-translation.ts'
import { DOMAIN_KINDS, domainApi, type DomainKind } from '#contract/network/domain.ts'
import { NewDomainFields, newDomain } from '#web/features/network/domain/domain-fields.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Adds a domain; how it is verified is told once it is there. */
export function DomainCreate({ onClose, onMade }: { onClose: () => void; onMade: (uuid: string) => void }) {
  const { t } = useTranslation('domain')
  const initial: ReturnType<typeof newDomain> & { kind: DomainKind } = { ...newDomain(), kind: 'tracking' }
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
      <SelectField
        of={form}
        name="kind"
        label={t('kind')}
        help={t(`kindHelp.${form.values.kind}`)}
        options={DOMAIN_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      <NewDomainFields of={form} kind={form.values.kind} />
    </SideForm>
  )
}
