import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ColumnMenu } from '#web/kit/list/column-menu.tsx'
import { Conditions } from '#web/kit/list/conditions.tsx'
import { addressKeys } from '#web/kit/list/filter.ts'
import { PeriodFilter } from '#web/kit/list/period-filter.tsx'
import { FilterPill } from '#web/kit/list/filter-pill.tsx'
import { SearchBox } from '#web/kit/list/search-box.tsx'
import { UnusedPill } from '#web/kit/list/unused-pill.tsx'
import type { List } from '#web/kit/list/use-list.ts'
import { ViewMenu } from '#web/kit/view/view-menu.tsx'
import { useViewport } from '#web/viewport.ts'
import classes from '#web/kit/list/list.module.css'

/** Search, filters, views and columns of a list; on a phone the filters fold behind a button that counts them. */
export function FilterBar<Row extends object>({
  list,
  views,
  end,
}: {
  list: List<Row>
  views: boolean
  /** Stands last. */
  end?: ReactNode
}) {
  const { t } = useTranslation('kit')
  const mobile = useViewport() === 'mobile'
  const [unfolded, setUnfolded] = useState(false)
  const change = (next: Record<string, string[] | undefined>) => {
    const held = Object.entries({ ...list.url.filters, ...next }).filter(
      (entry): entry is [string, string[]] => entry[1]?.some(Boolean) === true,
    )
    list.go({ filters: Object.fromEntries(held) })
  }
  const entries = Object.entries(list.filters)
  const pills = entries.filter(([, filter]) => filter.kind !== 'search')
  const active = pills.filter(([key, filter]) => addressKeys(key, filter).some((one) => list.url.filters[one])).length
  const isFurther = ([, filter]: (typeof pills)[number]) => filter.kind === 'condition' || filter.rare === true || filter.foreign === true
  const further = pills.filter(isFurther)

  return (
    <div className={classes.filters} role="search">
      {entries.map(
        ([key, filter]) =>
          filter.kind === 'search' && (
            <SearchBox
              key={key}
              label={filter.label}
              value={list.url.filters[key]?.[0] ?? ''}
              onSearch={(text) => change({ [key]: [text] })}
            />
          ),
      )}
      {mobile && pills.length > 0 && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilter size={14} aria-hidden />}
          aria-expanded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
        >
          {active > 0 ? t('list.filtersCount', { count: active }) : t('list.filters')}
        </Button>
      )}
      {(!mobile || unfolded) && (
        <>
          {pills
            .filter((one) => !isFurther(one))
            .map(([key, filter]) =>
              filter.kind === 'period' ? (
                <PeriodFilter key={key} usual={filter.usual} held={list.url.filters} set={change} />
              ) : (
                <FilterPill
                  key={key}
                  filter={filter}
                  values={list.url.filters[key] ?? []}
                  onChange={(values) => change({ [key]: values })}
                  opened={false}
                />
              ),
            )}
          {further.length > 0 && <Conditions filters={Object.fromEntries(further)} held={list.url.filters} set={change} />}
        </>
      )}
      {list.unknown.map((key) => (
        <UnusedPill key={key} label={key} onRemove={() => list.forget(key)} />
      ))}
      {list.filtered && (
        <Button variant="subtle" size="compact-sm" onClick={() => list.go({ filters: {} })}>
          {t('list.clear')}
        </Button>
      )}
      <span className={classes.right}>
        {views && <ViewMenu screen={list.name} />}
        {!mobile && <ColumnMenu columns={list.columns} shown={list.shown} onShown={list.setShown} />}
        {end}
      </span>
    </div>
  )
}
