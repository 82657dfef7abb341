import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { COMMISSION_BASES, commissionApi } from '#contract/money/commission.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Terms of one manager, or those of all. */
export function OwnTerms({ of, onClose }: { of: CallOutput<typeof commissionApi.list>['list'][number]; onClose: () => void }) {
  const { t } = useTranslation('commission')
  const form = useSaveForm({
    endpoint: commissionApi.setTerms,
    initial: { own: of.own, basis: of.basis as string, percent: of.percent },
    toInput: ({ own, basis, percent }) => ({
      // the choices of the field are the bases
      body: { manager_uuid: of.manager.uuid, own, basis: basis as 'profit', percent: percent || '0' },
    }),
    invalidate: [commissionApi.list, commissionApi.get],
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('termsOf', { name: of.manager.name })} action={t('save', { ns: 'common' })} onClose={onClose}>
      <SwitchField of={form} name="own" label={t('ownTerms')} help={t('ownTermsHelp')} />
      {form.values.own && (
        <>
          <SelectField
            of={form}
            name="basis"
            label={t('basis')}
            options={COMMISSION_BASES.map((value) => ({ value, label: t(`basis.${value}`) }))}
          />
          <NumberField of={form} name="percent" label={t('percent')} unit="%" required />
        </>
      )}
    </DialogForm>
  )
}
