import { Button, Checkbox, Loader, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { bestFirst } from '#web/kit/fields/best-match.ts'
import type { ValueSource } from '#web/kit/list/filter.ts'
import { useEnter } from '#web/kit/list/use-enter.ts'
import classes from '#web/kit/list/list.module.css'

type FoundMenuProps = {
  label: string
  source: Extract<ValueSource, { kind: 'found' }>
  /** Whether any text may be asked for, also one that was not found. */
  free: boolean
  values: readonly string[]
  nameOf: (value: string) => string | undefined
  onChange: (values: string[], names: Record<string, string>) => void
  onDone: () => void
}

/** Values there are, found by typing a part of one, in the menu of a condition; those chosen stand first. */
export function FoundMenu({ label, source, free, values, nameOf, onChange, onDone }: FoundMenuProps) {
  const { t } = useTranslation('kit')
  const [find, setFind] = useState('')
  const [settled] = useDebouncedValue(find.trim(), 250)
  const { data = [], isFetching } = useQuery({ ...source.find(settled), placeholderData: keepPreviousData, staleTime: 60_000 })
  const names = Object.fromEntries(data.map((option) => [option.value, option.label]))
  const chosen = values.map((value) => ({ value, label: nameOf(value) ?? names[value] ?? value }))
  const typed = find.trim()
  const toggle = (value: string) => onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value], names)
  const add = () => {
    if (!free || typed === '') return
    onChange([...new Set([...values, typed])], names)
    setFind('')
  }
  const onEnter = useEnter({
    typed: find,
    loading: typed !== settled || isFetching,
    best: bestFirst(
      data.filter(({ value }) => value !== ''),
      typed,
      (option) => option,
    )[0]?.value,
    choose: (value) => !values.includes(value) && toggle(value),
    done: onDone,
  })
  return (
    <>
      <TextInput
        size="xs"
        data-autofocus
        placeholder={t('filter.find')}
        aria-label={label}
        rightSection={isFetching && <Loader size={12} />}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
        onKeyDown={(event) => (free && typed !== '' ? event.key === 'Enter' && add() : onEnter(event))}
      />
      <div className={classes.options}>
        {[...chosen, ...data.filter(({ value }) => value !== '' && !values.includes(value))].map((option) => (
          <Checkbox
            key={option.value}
            size="xs"
            label={option.label}
            checked={values.includes(option.value)}
            onChange={() => toggle(option.value)}
          />
        ))}
        {data.length === 0 && !isFetching && chosen.length === 0 && <span className={classes.nothing}>{t('filter.none')}</span>}
      </div>
      {free && typed !== '' && !values.includes(typed) && (
        <Button size="compact-xs" variant="light" onClick={add}>
          {t('filter.use', { text: typed })}
        </Button>
      )}
    </>
  )
}
