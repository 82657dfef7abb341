import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { AMOUNT_MEANINGS, DIALECT_MEANINGS, DIALECT_NUMBERS, isMinorName } from '#contract/traffic/dialect.ts'
import type { DialectValues } from '#web/features/traffic/dialect/dialect-values.ts'
import classes from '#web/features/traffic/dialect/dialect.module.css'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'

const MOST = 100

/** The names of parameters, each with what it says. */
export function DialectNames({ of }: { of: SaveForm<DialectValues> }) {
  const { t } = useTranslation('dialect')
  const { names } = of.values.dialect
  of.labels.set('dialect.names', t('names'))
  return (
    <div role="group" aria-label={t('names')} className={classes.rows} data-wide>
      {names.map(({ name, means }, index) => (
        // rows have no name of their own while they are typed
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.row} role="group" aria-label={t('names.row', { number: index + 1 })}>
          <TextField of={of} name={`dialect.names.${index}.name`} label={t('names.name')} required />
          <SelectField
            of={of}
            name={`dialect.names.${index}.means`}
            label={t('names.means')}
            options={DIALECT_MEANINGS.map((value) => ({ value, label: t(`means.${value}`) }))}
          />
          {AMOUNT_MEANINGS.has(means) && (
            <SelectField
              of={of}
              name={`dialect.names.${index}.numbers`}
              label={t('numbers')}
              options={DIALECT_NUMBERS.map((value) => ({ value, label: t(`numbers.${value}`) }))}
              unset={t(isMinorName(name) && of.values.dialect.numbers === 'auto' ? 'numbers.minorName' : 'numbers.ofAll')}
            />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('names.remove')}
            className={classes.remove}
            onClick={() => of.form.removeListItem('dialect.names', index)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        id={fieldId(of.id, 'dialect.names')}
        size="compact-md"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={names.length >= MOST}
        onClick={() => of.form.insertListItem('dialect.names', { name: '', means: 'click_id' })}
      >
        {t('names.add')}
      </Button>
    </div>
  )
}
