import { Loader, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { useOptions } from '#web/kit/fields/use-options.ts'
import type { FoundEndpoint, ReferenceRow } from '#web/kit/list/filter.ts'

type ReferenceFieldProps<Values, Row extends ReferenceRow> = FieldProps<Values> & {
  endpoint: FoundEndpoint<Row>
  /** The one chosen so far, whose name the options may not hold. */
  chosen?: ReferenceRow | null
  placeholder?: string
  clearable?: boolean
  /** Told of what was chosen, for fields that follow it. */
  onPick?: (row: Row) => void
}

/** A person or a thing found by typing a part of its name or its id; the value is its uuid or null. */
export const ReferenceField = drawnAlone(function ReferenceField<Values, Row extends ReferenceRow>({
  endpoint,
  chosen,
  placeholder,
  clearable = true,
  onPick,
  ...field
}: ReferenceFieldProps<Values, Row>) {
  const { t } = useTranslation('kit')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState(false)
  const [picked, setPicked] = useState<ReferenceRow | null>(chosen ?? null)
  const value = valueAt<Values, string | null>(field.of, field.name)
  const typed = picked !== null && search === labelOf(picked) ? '' : search
  const { options, loading } = useOptions(endpoint, typed, opened)
  // the stored one may have become another while the form stayed
  const held = [picked, chosen ?? null].find((one) => one?.uuid === value)
  const known = held && !options.some((option) => option.uuid === value) ? [held, ...options] : options
  return (
    <Select
      {...fieldProps(field)}
      data={known.map((option) => ({ value: option.uuid, label: labelOf(option) }))}
      // the server has searched already
      filter={({ options: all }) => all}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={options.length > 0}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={loading ? t('loading') : t('field.nothingFound')}
      rightSection={loading ? <Loader size={14} /> : undefined}
      placeholder={placeholder ?? t('field.typeToSearch')}
      clearable={clearable}
      maxDropdownHeight={280}
      value={value}
      onChange={(next) => {
        setPicked(known.find((option) => option.uuid === next) ?? null)
        changeAt(field.of, field.name, next)
        const found = options.find((option) => option.uuid === next)
        if (found !== undefined) onPick?.(found)
      }}
    />
  )
})

function labelOf(reference: ReferenceRow): string {
  return `${reference.name} · #${reference.id}`
}
