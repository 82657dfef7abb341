import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { bestMatches } from '#web/kit/fields/best-match.ts'
import type { Filter } from '#web/kit/list/filter.ts'
import { useEnter } from '#web/kit/list/use-enter.ts'
import classes from '#web/kit/list/list.module.css'

type ChoiceMenuProps = {
  filter: Extract<Filter, { kind: 'choice' }>
  values: readonly string[]
  onChange: (values: string[]) => void
  onDone: () => void
}

/** The values of a choice filter, with a box to find one where there are many. */
export function ChoiceMenu({ filter, values, onChange, onDone }: ChoiceMenuProps) {
  const { t } = useTranslation('kit')
  const [find, setFind] = useState('')
  const options = bestMatches(filter.options, find, (option) => option)

  const toggle = (value: string) => {
    if (!filter.multiple) {
      onChange(values.includes(value) ? [] : [value])
      onDone()
    } else onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value])
  }

  const onKeyDown = useEnter({
    typed: find,
    loading: false,
    best: options[0]?.value,
    choose: (value) => !values.includes(value) && toggle(value),
    done: onDone,
  })
  return (
    <>
      {filter.options.length > 9 && (
        <TextInput
          size="xs"
          data-autofocus
          placeholder={t('filter.find')}
          aria-label={t('filter.find')}
          value={find}
          onChange={(event) => setFind(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      )}
      <div className={classes.options}>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            size="xs"
            radius={filter.multiple ? undefined : 'xl'}
            label={option.label}
            checked={values.includes(option.value)}
            onChange={() => toggle(option.value)}
          />
        ))}
        {options.length === 0 && <span className={classes.nothing}>{t('filter.none')}</span>}
      </div>
    </>
  )
}
