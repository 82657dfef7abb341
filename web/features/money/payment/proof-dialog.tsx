import { useTranslation } from '#web/i18n/use-translation.ts'
import { paymentMethodApi } from '#contract/money/payment.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { ConfirmFields } from '#web/features/money/payment/confirm-fields.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type Own = CallOutput<typeof paymentMethodApi.list>
type ProofDialogProps = { own: Own; method: Own['list'][number]; what: 'first' | 'remove'; onClose: () => void }

/** Makes a method the first, or removes it: the password proves that it is the owner. */
export function ProofDialog({ own, method, what, onClose }: ProofDialogProps) {
  const { t } = useTranslation('payment')
  const initial = { password: '', code: '' }
  const done = { invalidate: [paymentMethodApi.list], savedText: t('own.saved'), onSaved: onClose }
  const others = own.list.filter((one) => one !== method).map(({ uuid }) => uuid)
  const first = useSaveForm({
    endpoint: paymentMethodApi.order,
    initial,
    toInput: (values) => ({ body: { ...values, uuids: [method.uuid, ...others] } }),
    ...done,
  })
  const remove = useSaveForm({
    endpoint: paymentMethodApi.remove,
    initial,
    toInput: (values) => ({ params: { uuid: method.uuid }, body: values }),
    ...done,
  })
  const form = what === 'first' ? first : remove
  return (
    <DialogForm
      of={form}
      title={t(`own.${what}Title`, { name: method.system_name })}
      text={t(`own.${what}Text`)}
      action={t(`own.${what}`)}
      danger={what === 'remove'}
      onClose={onClose}
    >
      <ConfirmFields
        of={form}
        confirmedBy={own.confirmed_by}
        change={() => (what === 'first' ? { kind: 'order', uuids: [method.uuid, ...others] } : { kind: 'remove', uuid: method.uuid })}
      />
    </DialogForm>
  )
}
