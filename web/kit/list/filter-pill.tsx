import { Popover } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { query } from '#web/api/query.ts'
import { day, integer } from '#web/format.ts'
import { ChoiceMenu } from '#web/kit/list/choice-menu.tsx'
import { DaysMenu } from '#web/kit/list/days-menu.tsx'
import type { Filter } from '#web/kit/list/filter.ts'
import { ReferenceMenu } from '#web/kit/list/reference-menu.tsx'
import { TextMenu } from '#web/kit/list/text-menu.tsx'
import { readTexts } from '#web/kit/list/text-values.ts'
import { TextsMenu } from '#web/kit/list/texts-menu.tsx'
import classes from '#web/kit/list/list.module.css'

/** More than these are counted. */
const MOST_NAMED = 2

type FilterPillProps = { filter: Filter; values: readonly string[]; onChange: (values: string[]) => void; opened: boolean }

/** One filter: its name, what it is set to, and a menu to change it, open at first where it was just added. */
export function FilterPill({ filter, values, onChange, opened: initially }: FilterPillProps) {
  const { t } = useTranslation('kit')
  const [opened, setOpened] = useState(initially)
  const [seen, setSeen] = useState<Readonly<Record<string, string>>>({})
  const names = useNames(filter, values.length > MOST_NAMED ? [] : values, seen)
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
              setSeen({ ...seen, ...known })
              onChange(next)
            }}
          />
        )}
        {filter.kind === 'texts' && <TextsMenu label={filter.label} values={values} onChange={onChange} />}
        {filter.kind === 'text' && <TextMenu label={filter.label} values={values} onChange={onChange} />}
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
    if (filter.kind === 'text') {
      const { is, contains } = readTexts(values)
      if (contains !== '') return `… ${contains} …`
      return is.length > MOST_NAMED ? integer(is.length) : is.join(', ')
    }
    if (values.length > MOST_NAMED) return integer(values.length)
    const labels = values.map((value) =>
      filter.kind === 'choice'
        ? filter.options.find((option) => option.value === value)?.label
        : filter.kind === 'reference'
          ? names[value]
          : value,
    )
    // the address names only the uuid: a number says enough until the name is there
    return labels.every((label) => label !== undefined) ? labels.join(', ') : integer(values.length)
  }
}

/** What the references in the address are called: those the menu has `seen`, and the others asked for by their uuid. */
function useNames(filter: Filter, values: readonly string[], seen: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const endpoint = filter.kind === 'reference' ? filter.endpoint : undefined
  const unseen = endpoint === undefined ? [] : values.filter((value) => value !== '' && seen[value] === undefined)
  const found = useQueries({
    queries: unseen.flatMap((search) =>
      endpoint === undefined ? [] : [{ ...query(endpoint, { body: { search } }, { quiet: true }), staleTime: 300_000 }],
    ),
  })
  const named = unseen.flatMap((value, index) => {
    const row = found[index]?.data?.list.find(({ uuid, id }) => uuid === value || String(id) === value)
    return row === undefined ? [] : [[value, row.name]]
  })
  return { ...seen, ...(Object.fromEntries(named) as Record<string, string>) } // pairs of texts
}
