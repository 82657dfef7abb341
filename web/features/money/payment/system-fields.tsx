import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PAYMENT_KIND_NAMES } from '#contract/money/payment.ts'
import { useConstants } from '#web/api/constants.ts'
import { fieldText } from '#web/i18n/language.ts'
import { changeAt } from '#web/kit/fields/field.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'
import type { SystemValues } from './system-values.ts'
import classes from './payment.module.css'

type Of = { of: SaveForm<{ systems: SystemValues[] }>; place: number }

/** What can be said of one payment system. `fixed`: its code and kind stay, for methods are stored by them. */
export function SystemFields({ of, place, fixed }: Of & { fixed: boolean }) {
  const { t } = useTranslation('payment')
  const { currency } = useConstants()
  const at = `systems.${place}` as const
  const { currencies } = of.values.systems[place] ?? { currencies: [] }
  return (
    <>
      <TextField of={of} name={`${at}.name`} label={t('name')} required />
      <TextField of={of} name={`${at}.code`} label={t('code')} help={fixed ? undefined : t('codeHelp')} disabled={fixed} required />
      <SelectField
        of={of}
        name={`${at}.kind`}
        label={t('kind')}
        options={PAYMENT_KIND_NAMES.map((value) => ({ value, label: t(`kind.${value}`) }))}
        disabled={fixed}
        required
      />
      <MultiSelectField of={of} name={`${at}.currencies`} label={t('currencies')} options={currency} required />
      {currencies.length > 0 && (
        <fieldset className={classes.group}>
          <legend>{t('systemMinimums')}</legend>
          <p className="ohma-soft">{t('systemMinimumsHelp')}</p>
          <div className={classes.fields}>
            {currencies.map((code) => (
              <NumberField key={code} of={of} name={`${at}.minimums.${code}`} label={t('minimumIn', { currency: code })} />
            ))}
          </div>
        </fieldset>
      )}
      <div className={classes.fields}>
        <NumberField of={of} name={`${at}.fee_fixed`} label={t('feeFixed')} required />
        <NumberField of={of} name={`${at}.fee_percent`} label={t('feePercent')} unit="%" required />
      </div>
      <SelectField
        of={of}
        name={`${at}.fee_by`}
        label={t('feeBy')}
        options={(['network', 'affiliate'] as const).map((value) => ({ value, label: t(`feeBy.${value}`) }))}
        required
      />
      <NumberField of={of} name={`${at}.days`} label={t('days')} unit={t('daysUnit')} whole required />
      <SwitchField of={of} name={`${at}.active`} label={t('active')} />
      <OwnFields of={of} place={place} />
    </>
  )
}

/** What it asks beside the fields of its kind. */
function OwnFields({ of, place }: Of) {
  const { t } = useTranslation('payment')
  const at = `systems.${place}` as const
  const { fields } = of.values.systems[place] ?? { fields: [] }
  const error = of.form.errors[`${at}.fields`]
  const put = (next: SystemValues['fields']) => changeAt(of, `${at}.fields`, next)
  return (
    <fieldset className={classes.group} id={fieldId(of.id, `${at}.fields`)} tabIndex={-1}>
      <legend>{t('ownFields')}</legend>
      {fields.map((_field, one) => (
        // a field has no name of its own until it is typed
        // oxlint-disable-next-line react/no-array-index-key
        <div key={one} className={classes.ownField}>
          <TextField of={of} name={`${at}.fields.${one}.name`} label={t('fieldName')} required />
          <SelectField
            of={of}
            name={`${at}.fields.${one}.check`}
            label={t('fieldCheck')}
            options={(['text', 'email', 'digits'] as const).map((value) => ({ value, label: t(`check.${value}`) }))}
            required
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            mt={28}
            aria-label={t('remove')}
            onClick={() => put(fields.filter((_other, other) => other !== one))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
          <SwitchField of={of} name={`${at}.fields.${one}.required`} label={t('fieldRequired')} />
        </div>
      ))}
      {typeof error === 'string' && <p className={classes.error}>{fieldText(error)}</p>}
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={fields.length >= 8}
          onClick={() => put([...fields, { name: '', check: 'text', required: true }])}
        >
          {t('addField')}
        </Button>
      </div>
    </fieldset>
  )
}
