import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
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
import type { TermsValues } from './terms-values.ts'
import { newSystem, type SystemValues } from './system-values.ts'
import classes from './payment.module.css'

type Of = { of: SaveForm<TermsValues & { systems: SystemValues[] }> }

/** The payment systems in the order they are offered. `stored` are the codes that stay as they are. */
export function SystemEditor({ of, stored }: Of & { stored: ReadonlySet<string> }) {
  const { t } = useTranslation('payment')
  const { systems } = of.values
  const put = (next: readonly SystemValues[]) => changeAt(of, 'systems', next)
  const move = (place: number, by: number) => {
    const next = [...systems]
    const [moved] = next.splice(place, 1)
    if (moved !== undefined) next.splice(place + by, 0, moved)
    put(next)
  }
  return (
    <div className={classes.systems} data-wide id={fieldId(of.id, 'systems')} tabIndex={-1}>
      {systems.map((system, place) => (
        // codes change while somebody types them: the place is what stays
        // oxlint-disable-next-line react/no-array-index-key
        <section key={place} className={classes.system} aria-label={system.name || t('number', { number: place + 1 })}>
          <div className={classes.head}>
            <p>{system.name || t('number', { number: place + 1 })}</p>
            <ActionIcon variant="subtle" color="gray" aria-label={t('up')} disabled={place === 0} onClick={() => move(place, -1)}>
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('down')}
              disabled={place === systems.length - 1}
              onClick={() => move(place, 1)}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('remove')}
              onClick={() => put(systems.filter((_other, other) => other !== place))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
          <SystemFields of={of} place={place} fixed={stored.has(system.code)} />
        </section>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={systems.length >= 30}
          onClick={() => put([...systems, newSystem(systems.map(({ code }) => code))])}
        >
          {t('add')}
        </Button>
      </div>
    </div>
  )
}

function SystemFields({ of, place, fixed }: Of & { place: number; fixed: boolean }) {
  const { t } = useTranslation('payment')
  const { currency } = useConstants()
  const at = `systems.${place}` as const
  const { kind, fields } = of.values.systems[place] ?? { kind: 'own', fields: [] }
  const error = of.form.errors[`${at}.fields`]
  const putFields = (next: SystemValues['fields']) => changeAt(of, `${at}.fields`, next)
  return (
    <>
      <div className={classes.fields}>
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
        <NumberField of={of} name={`${at}.minimum`} label={t('minimum')} help={t('minimumHelp')} required />
        <NumberField of={of} name={`${at}.fee_fixed`} label={t('feeFixed')} required />
        <NumberField of={of} name={`${at}.fee_percent`} label={t('feePercent')} unit="%" required />
        <SelectField
          of={of}
          name={`${at}.fee_by`}
          label={t('feeBy')}
          options={(['network', 'affiliate'] as const).map((value) => ({ value, label: t(`feeBy.${value}`) }))}
          required
        />
        <NumberField of={of} name={`${at}.days`} label={t('days')} unit={t('daysUnit')} whole required />
        <SwitchField of={of} name={`${at}.active`} label={t('active')} />
      </div>
      {(kind === 'own' || fields.length > 0) && (
        <div className={classes.systems} id={fieldId(of.id, `${at}.fields`)} tabIndex={-1}>
          {fields.map((_field, one) => (
            // a field has no name of its own until it is typed
            // oxlint-disable-next-line react/no-array-index-key
            <div key={one} className={classes.fields}>
              <TextField of={of} name={`${at}.fields.${one}.name`} label={t('fieldName')} required />
              <SelectField
                of={of}
                name={`${at}.fields.${one}.check`}
                label={t('fieldCheck')}
                options={(['text', 'email', 'digits'] as const).map((value) => ({ value, label: t(`check.${value}`) }))}
                required
              />
              <SwitchField of={of} name={`${at}.fields.${one}.required`} label={t('fieldRequired')} />
              <div>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  mt={28}
                  aria-label={t('remove')}
                  onClick={() => putFields(fields.filter((_other, other) => other !== one))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </div>
            </div>
          ))}
          {typeof error === 'string' && <p style={{ color: 'var(--mantine-color-error)', fontSize: 13 }}>{fieldText(error)}</p>}
        </div>
      )}
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={fields.length >= 8}
          onClick={() => putFields([...fields, { name: '', check: 'text', required: true }])}
        >
          {t('addField')}
        </Button>
      </div>
    </>
  )
}
