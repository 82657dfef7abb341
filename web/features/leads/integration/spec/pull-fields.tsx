import { useTranslation } from 'react-i18next'
import { CONDITION_OPS } from '#contract/leads/integration-spec.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { IntegerField } from './integer-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { CallFields } from './call-fields.tsx'
import { Rows } from './rows.tsx'
import type { SpecValues } from './spec-values.ts'

/** How what became of leads is asked for, and where in the answer it stands. */
export function PullFields({ of }: { of: SaveForm<SpecValues> }) {
  const { t } = useTranslation('integration')
  const { pulls, pull } = of.values
  const options = <Value extends string>(values: readonly Value[], texts: string) =>
    values.map((value) => ({ value, label: t(`${texts}.${value}` as 'pull.by.ids') }))
  return (
    <>
      <SwitchField of={of} name="pulls" label={t('pull.on')} help={t('pull.onHelp')} wide />
      {pulls && (
        <>
          <SelectField of={of} name="pull.by" label={t('pull.by')} options={options(['ids', 'window'], 'pull.by')} />
          {pull.by === 'ids' ? (
            <IntegerField of={of} name="pull.ids_at_once" label={t('pull.idsAtOnce')} />
          ) : (
            <IntegerField of={of} name="pull.window_days" label={t('pull.windowDays')} />
          )}
          <CallFields of={of} path="pull.request" call={pull.request} />
          <SelectField
            of={of}
            name="pull.paging"
            label={t('pull.paging')}
            options={options(['none', 'page', 'offset', 'cursor'], 'pull.paging')}
          />
          {(pull.paging === 'page' || pull.paging === 'offset') && <IntegerField of={of} name="pull.size" label={t('pull.size')} />}
          {pull.paging === 'cursor' && <TextField of={of} name="pull.cursor" label={t('pull.cursor')} required />}
          <LongTextField of={of} name="pull.rows" label={t('pull.rows')} help={t('placesHelp')} rows={1} required />
          <LongTextField of={of} name="pull.id" label={t('pull.id')} rows={1} required />
          <SelectField of={of} name="pull.id_is" label={t('pull.idIs')} options={options(['external_id', 'lead_id'], 'pull.idIs')} />
          <LongTextField of={of} name="pull.status" label={t('pull.status')} rows={1} />
          <LongTextField of={of} name="pull.amount" label={t('pull.amount')} rows={1} />
          <LongTextField of={of} name="pull.at" label={t('pull.at')} rows={1} />
          <Rows
            of={of}
            path="pull.sale_when"
            label={t('pull.saleWhen')}
            count={pull.sale_when.length}
            blank={{ at: '', op: 'truthy', value: '' }}
            most={20}
            add={t('pull.addSale')}
            columns={3}
          >
            {(index) => (
              <>
                <TextField of={of} name={`pull.sale_when.${index}.at`} label={t('rule.at')} required />
                <SelectField
                  of={of}
                  name={`pull.sale_when.${index}.op`}
                  label={t('rule.op')}
                  options={CONDITION_OPS.map((value) => ({ value, label: t(`op.${value}`) }))}
                />
                <TextField of={of} name={`pull.sale_when.${index}.value`} label={t('rule.value')} />
              </>
            )}
          </Rows>
        </>
      )}
    </>
  )
}
