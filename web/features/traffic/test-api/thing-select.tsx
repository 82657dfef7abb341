import { Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOptions } from '#web/kit/fields/use-options.ts'
import type { FoundEndpoint, ReferenceRow } from '#web/kit/list/filter.ts'

type ThingSelectProps<Row extends ReferenceRow> = {
  endpoint: FoundEndpoint<Row>
  label: string
  chosen: ReferenceRow | null
  error?: string | undefined
  onChoose: (row: ReferenceRow | null) => void
}

/** Chooses one thing of the own scope by what is typed, outside of a form that is saved. */
export function ThingSelect<Row extends ReferenceRow>({ endpoint, label, chosen, error, onChoose }: ThingSelectProps<Row>) {
  const { t } = useTranslation('kit')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState(false)
  const typed = chosen !== null && search === labelOf(chosen) ? '' : search
  const { options, loading } = useOptions(endpoint, typed, opened)
  const known = chosen && !options.some(({ uuid }) => uuid === chosen.uuid) ? [chosen, ...options] : options
  return (
    <Select
      label={label}
      required
      placeholder={t('field.typeToSearch')}
      data={known.map((one) => ({ value: one.uuid, label: labelOf(one) }))}
      // the server has searched already
      filter={({ options: all }) => all}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={options.length > 0}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={loading ? t('loading') : t('field.nothingFound')}
      error={error}
      value={chosen?.uuid ?? null}
      onChange={(uuid) => onChoose(known.find((one) => one.uuid === uuid) ?? null)}
    />
  )
}

function labelOf({ name, id }: ReferenceRow): string {
  return `${name} · ${id}`
}
