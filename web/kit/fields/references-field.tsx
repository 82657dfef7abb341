import { Loader, MultiSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { useOptions } from '#web/kit/fields/use-options.ts'
import type { OptionsEndpoint, ReferenceRow } from '#web/kit/list/filter.ts'

type ReferencesFieldProps<Values> = FieldProps<Values> & {
  endpoint: OptionsEndpoint
  placeholder?: string
  /** What else is asked, to find fewer. */
  only?: object
}

/** Several people or things found by typing; the value is the references themselves, because a uuid has no name to show. */
export const ReferencesField = drawnAlone(function ReferencesField<Values>({
  endpoint,
  placeholder,
  only,
  ...field
}: ReferencesFieldProps<Values>) {
  const { t } = useTranslation('kit')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState(false)
  const value = valueAt<Values, ReferenceRow[]>(field.of, field.name)
  const { options, loading } = useOptions(endpoint, search, opened, only)
  const known = [...value, ...options.filter((option) => !value.some((chosen) => chosen.uuid === option.uuid))]
  return (
    <MultiSelect
      {...fieldProps(field)}
      data={known.map((one) => ({ value: one.uuid, label: labelOf(one) }))}
      // the server has searched already
      filter={({ options: all }) => all}
      searchable
      hidePickedOptions
      clearable
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={search.trim() !== '' && options.length > 0}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={loading ? t('loading') : undefined}
      rightSection={loading ? <Loader size={14} /> : undefined}
      placeholder={value.length === 0 ? (placeholder ?? t('field.typeToSearch')) : undefined}
      maxDropdownHeight={280}
      value={value.map((one) => one.uuid)}
      onChange={(uuids) =>
        changeAt(
          field.of,
          field.name,
          uuids.flatMap((uuid) => known.find((one) => one.uuid === uuid) ?? []),
        )
      }
    />
  )
})

function labelOf({ name, id }: ReferenceRow): string {
  return name === '' ? `#${id}` : `${name} · #${id}`
}
