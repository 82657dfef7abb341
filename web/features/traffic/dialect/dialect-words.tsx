import { ActionIcon, Autocomplete, Button, Select } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import type { DialectValues, StoredDialect } from '#web/features/traffic/dialect/dialect-values.ts'
import classes from '#web/features/traffic/dialect/dialect.module.css'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'

type Props = { of: SaveForm<DialectValues>; goals: StoredDialect['goals'] }
const MOST = 200

/** The words of statuses and events, each with the status or the goal it means. */
export function DialectWords({ of, goals }: Props) {
  const { t } = useTranslation('dialect')
  const { t: conversion } = useTranslation('conversion')
  const { words } = of.values.dialect
  of.labels.set('dialect.words', t('words'))
  const choose = (index: number, chosen: string | null) => {
    const word = words[index]
    if (word === undefined) return
    const status = CONVERSION_STATUSES.find((one) => one === chosen) ?? null
    of.form.setFieldValue(`dialect.words.${index}`, { ...word, status, goal: status === null ? (word.goal ?? '') : null })
  }
  return (
    <div role="group" aria-label={t('words')} className={classes.rows} data-wide>
      {words.map((word, index) => (
        // rows have no name of their own while they are typed
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.row} role="group" aria-label={t('words.row', { number: index + 1 })}>
          <TextField of={of} name={`dialect.words.${index}.word`} label={t('words.word')} required />
          <Select
            label={t('words.means')}
            data={[
              ...CONVERSION_STATUSES.map((value) => ({ value, label: conversion(`status.${value}`) })),
              { value: 'goal', label: t('words.goal') },
            ]}
            allowDeselect={false}
            checkIconPosition="right"
            value={word.status ?? 'goal'}
            onChange={(chosen) => choose(index, chosen)}
          />
          {word.status === null && (
            <Autocomplete
              className={classes.goal}
              label={t('words.code')}
              data={goals.map(({ code }) => code)}
              withAsterisk
              {...of.form.getInputProps(`dialect.words.${index}.goal`)}
            />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('words.remove')}
            className={classes.remove}
            onClick={() => of.form.removeListItem('dialect.words', index)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        id={fieldId(of.id, 'dialect.words')}
        size="compact-md"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={words.length >= MOST}
        onClick={() => of.form.insertListItem('dialect.words', { word: '', status: 'approved', goal: null })}
      >
        {t('words.add')}
      </Button>
    </div>
  )
}
