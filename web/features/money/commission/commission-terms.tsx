import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { COMMISSION_BASES, commissionApi } from '#contract/money/commission.ts'
import { query } from '#web/api/query.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { LastChange } from '#web/last-change.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** Whether statements are made, and of what all managers get their share who have no terms of their own. */
export function CommissionTerms({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('commission')
  const found = useQuery(query(commissionApi.terms, {}))
  if (found.data !== undefined) return <TermsForm terms={found.data} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title={t('termsTitle')} centered size={480}>
      <QueryPage query={found} failed={t('failed')}>
        {() => null}
      </QueryPage>
    </Modal>
  )
}

function TermsForm({ terms, onClose }: { terms: CallOutput<typeof commissionApi.terms>; onClose: () => void }) {
  const { t } = useTranslation('commission')
  const form = useSaveForm({
    endpoint: commissionApi.updateTerms,
    initial: { on: terms.on, basis: terms.basis as string, percent: terms.percent },
    // the choices of the field are the bases
    toInput: ({ on, basis, percent }) => ({ body: { on, basis: basis as 'profit', percent: percent || '0', version: terms.version } }),
    invalidate: [commissionApi.terms, commissionApi.list, commissionApi.get],
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('termsTitle')} text={t('termsText')} action={t('save', { ns: 'common' })} onClose={onClose}>
      <SwitchField of={form} name="on" label={t('on')} help={t('onHelp')} />
      <SelectField
        of={form}
        name="basis"
        label={t('basis')}
        help={t('basisHelp')}
        options={COMMISSION_BASES.map((value) => ({ value, label: t(`basis.${value}`) }))}
      />
      <NumberField of={form} name="percent" label={t('percent')} unit="%" required />
      <LastChange of={{ kind: 'setting', part: 'commission' }} title={t('title')} known={terms.changed} />
    </DialogForm>
  )
}
