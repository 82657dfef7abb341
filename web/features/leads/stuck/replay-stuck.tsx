import { useTranslation } from '#web/i18n/use-translation.ts'
import { DEPOSITS, stuckApi, type Stuck } from '#contract/leads/stuck.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

/** Why something is stuck that an amount would mend. */
const OF_AMOUNT = ['amount', 'amount_unknown', 'amount_invalid', 'amount_ambiguous', 'rate_missing']

/** Does it anew; asks for what was missing. */
export function ReplayStuck({ of, onClose }: { of: Stuck; onClose: () => void }) {
  const { t } = useTranslation('stuck')
  const form = useSaveForm({
    endpoint: stuckApi.replay,
    initial: { lead: '', status: '', amount: '', deposit: null as (typeof DEPOSITS)[number] | null, note: '' },
    toInput: (body) => ({ params: { uuid: of.uuid }, body }),
    invalidate: [stuckApi.list, stuckApi.detail],
    savedText: '',
    onSaved: ({ changed }) => {
      notify.success(t(changed === 0 ? 'replay.already' : 'replay.done'))
      onClose()
    },
  })
  const fraud = of.reason === 'deposit_and_fraud'
  return (
    <DialogForm
      of={form}
      title={t(fraud ? 'replay.fraud' : 'replay')}
      text={t(fraud ? 'replay.fraudText' : of.kind === 'push' ? 'replay.pushText' : 'replay.bookingText')}
      action={t(fraud ? 'replay.fraud' : 'replay')}
      careful
      onClose={onClose}
    >
      {of.kind === 'push' && (
        <TextField of={form} name="lead" label={t('lead')} help={t('leadHelp')} required={of.lead === null && of.lead_ref === ''} />
      )}
      {of.kind === 'push' && of.raw === '' && <TextField of={form} name="status" label={t('raw')} help={t('rawHelp')} required />}
      {OF_AMOUNT.includes(of.reason) && <TextField of={form} name="amount" label={t('amount')} help={t('amountHelp')} />}
      {of.reason === 'deposit_unclear' && (
        <SelectField
          of={form}
          name="deposit"
          label={t('deposit')}
          options={DEPOSITS.map((value) => ({ value, label: t(`deposit.${value}`) }))}
          required
        />
      )}
      <LongTextField of={form} name="note" label={t('note')} rows={2} />
    </DialogForm>
  )
}
