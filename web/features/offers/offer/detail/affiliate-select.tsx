import { Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { useOptions } from '#web/kit/fields/use-options.ts'

/** Chooses one affiliate of the own scope by what is typed; answers its uuid. */
export function AffiliateSelect({
  value,
  error,
  onChange,
}: {
  value: string | null
  error?: string | undefined
  onChange: (uuid: string | null) => void
}) {
  const { t } = useTranslation('offer')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState(false)
  const { options } = useOptions(affiliateApi.list, search, opened)
  return (
    <Select
      w="100%"
      maw={360}
      label={t('affiliate')}
      placeholder={t('test.choose')}
      data={options.map(({ uuid, id, name }) => ({ value: uuid, label: `${name} · ${id}` }))}
      filter={({ options: all }) => all}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={options.length > 0}
      onDropdownOpen={() => {
        setOpened(true)
        setSearch('')
      }}
      error={error}
      value={value}
      onChange={onChange}
    />
  )
}
