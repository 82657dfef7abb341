import { Loader, Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useOptions } from '#web/kit/fields/use-options.ts'
import type { FoundEndpoint, ReferenceRow } from '#web/kit/list/filter.ts'

type ReferenceSelectProps<Row extends ReferenceRow> = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  endpoint: FoundEndpoint<Row>
  /** The uuid of the one chosen. */
  value: string | null
  /** The one chosen, whose name the options may not hold. */
  chosen: ReferenceRow | null
  /** Told of the one chosen now; `row` only where it is among those found. */
  onChoose: (one: ReferenceRow | null, row: Row | undefined) => void
  /** What is asked beside what is typed. */
  only?: object
  /** Why one that is found cannot be chosen; undefined = it can. */
  unfit?: (row: Row) => string | undefined
}

/** Chooses a person or a thing by a part of its name or its id. */
export function ReferenceSelect<Row extends ReferenceRow>({
  endpoint,
  value,
  chosen,
  onChoose,
  only,
  unfit,
  ...select
}: ReferenceSelectProps<Row>) {
  const { t } = useTranslation('kit')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState(false)
  const typed = chosen !== null && search === labelOf(chosen) ? '' : search
  const { options, loading } = useOptions(endpoint, typed, opened, only)
  const why = new Map(options.map((row) => [row.uuid, unfit?.(row)]))
  const known = chosen && !options.some(({ uuid }) => uuid === chosen.uuid) ? [chosen, ...options] : options
  return (
    <Select
      placeholder={t('field.typeToSearch')}
      maxDropdownHeight={280}
      {...select}
      data={known.map((one) => {
        const reason = why.get(one.uuid)
        return {
          value: one.uuid,
          label: reason === undefined ? labelOf(one) : `${labelOf(one)} – ${reason}`,
          disabled: reason !== undefined,
        }
      })}
      // the server has searched already
      filter={({ options: all }) => all}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={options.length > 0}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={loading ? t('loading') : undefined}
      rightSection={loading ? <Loader size={14} /> : undefined}
      value={value}
      onChange={(uuid) =>
        onChoose(
          known.find((one) => one.uuid === uuid) ?? null,
          options.find((one) => one.uuid === uuid),
        )
      }
    />
  )
}

function labelOf({ name, id }: ReferenceRow): string {
  return `${name} · #${id}`
}
