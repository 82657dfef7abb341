import { Loader, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { useOptions } from '#web/kit/fields/use-options.ts'
import type { FoundEndpoint, Option } from '#web/kit/list/filter.ts'

type ChoiceFieldProps<Values> = FieldProps<Values> & {
  endpoint: FoundEndpoint<Option>
  /** What else the endpoint is asked with. */
  only?: object
  placeholder?: string
}

/** One value found by typing, of a set too large to be listed; it holds its label too, or is null. */
export const ChoiceField = drawnAlone(function ChoiceField<Values>({ endpoint, only, placeholder, ...field }: ChoiceFieldProps<Values>) {
  const { t } = useTranslation('kit')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState(false)
  const value = valueAt<Values, Option | null>(field.of, field.name)
  const { options, loading } = useOptions(endpoint, search === value?.label ? '' : search, opened, only)
  const known = value && !options.some((option) => option.value === value.value) ? [value, ...options] : options
  return (
    <Select
      {...fieldProps(field)}
      data={known}
      // the server has searched already
      filter={({ options: all }) => all}
      searchable
      clearable
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={options.length > 0}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={loading ? t('loading') : search.trim() === '' ? t('field.typeToSearch') : undefined}
      rightSection={loading ? <Loader size={14} /> : undefined}
      placeholder={placeholder}
      maxDropdownHeight={280}
      value={value?.value ?? null}
      onChange={(next) => changeAt(field.of, field.name, known.find((option) => option.value === next) ?? null)}
    />
  )
})
