import { useTranslation } from '#web/i18n/use-translation.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { IntegerField } from './integer-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { CallFields } from './call-fields.tsx'
import { ConditionRows } from './condition-rows.tsx'
import { Rows } from './rows.tsx'
import type { SpecValues } from './spec-values.ts'
import classes from './spec.module.css'

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
            <>
              <IntegerField of={of} name="pull.ids_at_once" label={t('pull.idsAtOnce')} />
              <TextField of={of} name="pull.ids_between" label={t('pull.idsBetween')} />
            </>
          ) : (
            <>
              <IntegerField of={of} name="pull.window_days" label={t('pull.windowDays')} />
              <IntegerField of={of} name="pull.slack_hours" label={t('pull.slack')} help={t('pull.slackHelp')} />
            </>
          )}
          <CallFields of={of} path="pull.request" call={pull.request} />
          <SelectField
            of={of}
            name="pull.paging"
            label={t('pull.paging')}
            options={options(['none', 'page', 'offset', 'cursor'], 'pull.paging')}
          />
          {(pull.paging === 'page' || pull.paging === 'offset') && <IntegerField of={of} name="pull.size" label={t('pull.size')} />}
          {pull.paging === 'page' && <IntegerField of={of} name="pull.first" label={t('pull.first')} help={t('pull.firstHelp')} />}
          {pull.paging === 'cursor' && <TextField of={of} name="pull.cursor" label={t('pull.cursor')} required />}
          <LongTextField of={of} name="pull.rows" label={t('pull.rows')} help={t('placesHelp')} rows={1} required />
          <TextField of={of} name="pull.wrapped" label={t('pull.wrapped')} help={t('pull.wrappedHelp')} />
          <LongTextField of={of} name="pull.id" label={t('pull.id')} rows={1} required />
          <SelectField of={of} name="pull.id_is" label={t('pull.idIs')} options={options(['external_id', 'lead_id'], 'pull.idIs')} />
          <LongTextField of={of} name="pull.status" label={t('pull.status')} rows={1} />
          <LongTextField of={of} name="pull.amount" label={t('pull.amount')} rows={1} />
          <LongTextField of={of} name="pull.transaction" label={t('pull.transaction')} help={t('pull.transactionHelp')} rows={1} />
          <LongTextField of={of} name="pull.deposits" label={t('pull.deposits')} help={t('pull.depositsHelp')} rows={1} />
          <LongTextField of={of} name="pull.at" label={t('pull.at')} rows={1} />
          <div role="group" aria-label={t('pull.saleWhen')} className={classes.rows} data-wide>
            <span className={classes.heading}>{t('pull.saleWhen')}</span>
            <ConditionRows
              of={of}
              path="pull.sale_when"
              conditions={pull.sale_when}
              least={0}
              most={20}
              add={t('pull.addSale')}
              placeholder="depositor"
            />
          </div>
          <span className={classes.heading} data-wide>
            {t('pull.errorWhen')}
          </span>
          <Rows
            of={of}
            path="pull.error_when"
            label={t('pull.errorWhen')}
            count={pull.error_when.length}
            blank={[{ at: 'error', op: 'exists', value: '' }]}
            most={10}
            add={t('pull.addError')}
            columns={2}
          >
            {(index) => (
              <div className={classes.box} style={{ gridColumn: 'span 2' }}>
                <ConditionRows
                  of={of}
                  path={`pull.error_when.${index}`}
                  conditions={pull.error_when[index] ?? []}
                  least={1}
                  most={5}
                  add={t('rule.and')}
                  placeholder={t('rule.status')}
                />
              </div>
            )}
          </Rows>
        </>
      )}
    </>
  )
}
