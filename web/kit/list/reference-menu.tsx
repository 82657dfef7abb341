import { Checkbox, Loader, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useOptions } from '#web/kit/fields/use-options.ts'
import type { Filter } from '#web/kit/list/filter.ts'
import { useEnter } from '#web/kit/list/use-enter.ts'
import classes from '#web/kit/list/list.module.css'

type ReferenceMenuProps = {
  filter: Extract<Filter, { kind: 'reference' }>
  values: readonly string[]
  /** `names` tells what the chosen uuids are called. */
  onChange: (values: string[], names: Record<string, string>) => void
  onDone: () => void
}

/** People or things found by typing, in the menu of a filter. */
export function ReferenceMenu({ filter, values, onChange, onDone }: ReferenceMenuProps) {
  const { t } = useTranslation('kit')
  const [find, setFind] = useState('')
  const { options, loading } = useOptions(filter.endpoint, find, true, filter.only)
  const names = Object.fromEntries(options.map((option) => [option.uuid, option.name]))
  // an address may name them by their number as well
  const toggle = ({ uuid, id }: (typeof options)[number]) => {
    const others = values.filter((value) => value !== uuid && value !== String(id))
    if (others.length < values.length) onChange(others, names)
    else onChange([...values, uuid], names)
  }
  const isChosen = ({ uuid, id }: (typeof options)[number]) => values.includes(uuid) || values.includes(String(id))
  const onKeyDown = useEnter({
    typed: find,
    loading,
    best: options[0],
    choose: (option) => !isChosen(option) && toggle(option),
    done: onDone,
  })
  return (
    <>
      <TextInput
        size="xs"
        data-autofocus
        placeholder={t('filter.find')}
        aria-label={t('filter.find')}
        rightSection={loading && <Loader size={12} />}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.options}>
        {options.map((option) => (
          <Checkbox
            key={option.uuid}
            size="xs"
            label={`${option.name} · #${option.id}`}
            checked={isChosen(option)}
            onChange={() => toggle(option)}
          />
        ))}
        {options.length === 0 && !loading && <span className={classes.nothing}>{t('filter.none')}</span>}
      </div>
    </>
  )
}
