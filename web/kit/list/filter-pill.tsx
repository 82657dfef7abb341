import { Popover } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { day, integer } from '#web/format.ts'
import { ChoiceMenu } from '#web/kit/list/choice-menu.tsx'
import { DaysMenu } from '#web/kit/list/days-menu.tsx'
import type { Filter } from '#web/kit/list/filter.ts'
import { ReferenceMenu } from '#web/kit/list/reference-menu.tsx'
import { TextsMenu } from '#web/kit/list/texts-menu.tsx'
import classes from '#web/kit/list/list.module.css'

type FilterPillProps = { filter: Filter; values: readonly string[]; onChange: (values: string[]) => void }

/** One filter: its name, what it is set to, and a menu to change it. */
export function FilterPill({ filter, values, onChange }: FilterPillProps) {
  const { t } = useTranslation('kit')
  const [opened, setOpened] = useState(false)
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const active = values.some(Boolean)

  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" width={264} trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <span className={classes.pill} data-active={active || undefined}>
          <button
            type="button"
            className={classes.pillButton}
            aria-expanded={opened}
            aria-haspopup="dialog"
            onClick={() => setOpened(!opened)}
          >
            <span>{filter.label}</span>
            {active && <b className="ohma-clip">{summary()}</b>}
            {!active && <IconChevronDown size={13} aria-hidden />}
          </button>
          {active && (
            <button
              type="button"
              className={classes.pillClear}
              aria-label={t('filter.remove', { label: filter.label })}
              onClick={() => onChange([])}
            >
              <IconX size={13} aria-hidden />
            </button>
          )}
        </span>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu} role="dialog" aria-label={filter.label}>
        {filter.kind === 'choice' && <ChoiceMenu filter={filter} values={values} onChange={onChange} onDone={() => setOpened(false)} />}
        {filter.kind === 'reference' && (
          <ReferenceMenu
            filter={filter}
            values={values}
            onChange={(next, known) => {
              setNames({ ...names, ...known })
              onChange(next)
            }}
          />
        )}
        {filter.kind === 'texts' && <TextsMenu label={filter.label} values={values} onChange={onChange} />}
        {filter.kind === 'days' && <DaysMenu values={values} onChange={onChange} />}
      </Popover.Dropdown>
    </Popover>
  )

  function summary(): string {
    const [first = '', second = ''] = values
    if (filter.kind === 'days') {
      if (first && second) return first === second ? day(first) : `${day(first)} – ${day(second)}`
      return first ? t('filter.since', { day: day(first) }) : t('filter.until', { day: day(second) })
    }
    if (values.length > 2) return integer(values.length)
    const labels = values.map((value) =>
      filter.kind === 'choice'
        ? filter.options.find((option) => option.value === value)?.label
        : filter.kind === 'reference'
          ? names[value]
          : value,
    )
    // the address names only the uuid: a number says enough until the menu was opened
    return labels.every((label) => label !== undefined) ? labels.join(', ') : integer(values.length)
  }
}
