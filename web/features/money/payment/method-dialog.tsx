import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldsOf, PAYMENT_KINDS, paymentMethodApi } from '#contract/money/payment.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { ConfirmFields } from '#web/features/money/payment/confirm-fields.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type Own = CallOutput<typeof paymentMethodApi.list>

/** Adds a payment method, or replaces what one holds. */
export function MethodDialog({ own, method, onClose }: { own: Own; method: Own['list'][number] | null; onClose: () => void }) {
  const { t, i18n } = useTranslation('payment')
  const { systems, confirmed_by } = own
  const offered = systems.find(({ code }) => code === method?.system) ?? systems[0]
  const values: Record<string, string> = {}
  const form = useSaveForm({
    endpoint: paymentMethodApi.save,
    initial: { system: offered?.code ?? '', values, password: '', code: '' },
    toInput: (typed) => ({ body: { ...typed, uuid: method?.uuid ?? null, values: filledOf(typed) } }),
    invalidate: [paymentMethodApi.list],
    savedText: t('own.saved'),
    onSaved: onClose,
  })
  const fieldsFor = (code: string) => {
    const system = systems.find((one) => one.code === code)
    return system === undefined ? [] : fieldsOf(system)
  }
  const filledOf = (typed: { system: string; values: Record<string, string> }): Record<string, string> =>
    Object.fromEntries(
      fieldsFor(typed.system).flatMap(({ name }): [string, string][] => (typed.values[name] ? [[name, typed.values[name]]] : [])),
    )
  const known = (name: string) => i18n.exists(`field.${name}`, { ns: 'payment' })
  const own_ = (name: string) => !Object.values(PAYMENT_KINDS).some((fields) => fields.some((field) => field.name === name))
  const { iban = '', bic = '' } = form.values.values
  const [land, bank] = [iban.trim().slice(0, 2).toUpperCase(), bic.replaceAll(/\s/g, '').slice(4, 6).toUpperCase()]
  return (
    <DialogForm
      of={form}
      title={method === null ? t('own.new') : t('own.change', { name: method.system_name })}
      text={t(method === null ? 'own.addText' : 'own.changeText')}
      action={t('own.save')}
      onClose={onClose}
    >
      <SelectField
        of={form}
        name="system"
        label={t('own.system')}
        options={systems.map(({ code, name }) => ({ value: code, label: name }))}
        required
      />
      {fieldsFor(form.values.system).map(({ name, required }) => (
        <TextField
          key={`${form.values.system} ${name}`}
          of={form}
          name={`values.${name}`}
          label={known(name) && !own_(name) ? t(`field.${name}` as 'field.iban') : name}
          autoComplete="off"
          required={required}
        />
      ))}
      {fieldsFor(form.values.system).some(({ check }) => check === 'iban') && /^[A-Z]{2}$/.test(bank) && land !== bank && (
        <Alert color="var(--ohma-waiting)" icon={<IconAlertTriangle size={18} aria-hidden />} role="status">
          {t('own.otherBank', { land, bank })}
        </Alert>
      )}
      {fieldsFor(form.values.system).some(({ name, check }) => check === 'ethereum' && isOneCase(form.values.values[name] ?? '')) && (
        <Alert color="var(--ohma-waiting)" icon={<IconAlertTriangle size={18} aria-hidden />} role="status">
          {t('own.oneCase')}
        </Alert>
      )}
      <ConfirmFields
        of={form}
        confirmedBy={confirmed_by}
        change={() => ({ kind: 'save', uuid: method?.uuid ?? null, system: form.values.system, values: filledOf(form.values) })}
      />
    </DialogForm>
  )
}

/** Whether an address carries no checksum: only letters of both cases do. */
function isOneCase(address: string): boolean {
  return /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/.test(address.trim())
}
