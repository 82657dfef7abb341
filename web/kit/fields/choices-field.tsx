import { Loader, MultiSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { useOptions } from '#web/kit/fields/use-options.ts'
import type { FoundEndpoint, Option } from '#web/kit/list/filter.ts'

type ChoicesFieldProps<Values> = FieldProps<Values> & {
  endpoint: FoundEndpoint<Option>
  /** What else the endpoint is asked with. */
  only?: object
}

/** Several values found by typing, of a set too large to be listed; the value holds their labels too. */
export const ChoicesField = drawnAlone(function ChoicesField<Values>({ endpoint, only, ...field }: ChoicesFieldProps<Values>) {
  const { t } = useTranslation('kit')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState(false)
  const value = valueAt<Values, Option[]>(field.of, field.name)
  const { options, loading } = useOptions(endpoint, search, opened, only)
  const known = [...value, ...options.filter((option) => !value.some((chosen) => chosen.value === option.value))]
  return (
    <MultiSelect
      {...fieldProps(field)}
      data={known}
      // the server has searched already
      filter={({ options: all }) => all}
      searchable
      hidePickedOptions
      clearable
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={search.trim() !== '' && options.length > 0}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={loading ? t('loading') : search.trim() === '' ? t('field.typeToSearch') : undefined}
      rightSection={loading ? <Loader size={14} /> : undefined}
      placeholder={value.length === 0 ? t('field.typeToSearch') : undefined}
      maxDropdownHeight={280}
      value={value.map((one) => one.value)}
      onChange={(chosen) =>
        changeAt(
          field.of,
          field.name,
          chosen.flatMap((each) => known.find((one) => one.value === each) ?? []),
        )
      }
    />
  )
})
