import { Button, Menu } from '@mantine/core'
import { IconFilter, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ColumnMenu } from '#web/kit/list/column-menu.tsx'
import { FilterPill } from '#web/kit/list/filter-pill.tsx'
import { SearchBox } from '#web/kit/list/search-box.tsx'
import type { List } from '#web/kit/list/use-list.ts'
import { ViewMenu } from '#web/kit/view/view-menu.tsx'
import { useViewport } from '#web/viewport.ts'
import classes from '#web/kit/list/list.module.css'

/** Search, filters, views and columns of a list; on a phone the filters fold behind a button that counts them. */
export function FilterBar<Row extends object>({ list, views }: { list: List<Row>; views: boolean }) {
  const { t } = useTranslation('kit')
  const mobile = useViewport() === 'mobile'
  const [unfolded, setUnfolded] = useState(false)
  const set = (key: string, values: string[]) => {
    const { [key]: _before, ...others } = list.url.filters
    list.go({ filters: values.some(Boolean) ? { ...others, [key]: values } : others })
  }
  const entries = Object.entries(list.filters)
  const pills = entries.filter(([, filter]) => filter.kind !== 'search')
  const active = pills.filter(([key]) => list.url.filters[key]).length
  const [added, setAdded] = useState<readonly string[]>([])
  const [used, further] = [true, false].map((wanted) =>
    pills.filter(([key, { rare }]) => (!rare || list.url.filters[key] !== undefined || added.includes(key)) === wanted),
  ) as [typeof pills, typeof pills] // one for each

  return (
    <div className={classes.filters} role="search">
      {entries.map(
        ([key, filter]) =>
          filter.kind === 'search' && (
            <SearchBox key={key} label={filter.label} value={list.url.filters[key]?.[0] ?? ''} onSearch={(text) => set(key, [text])} />
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
          {used.map(([key, filter]) => (
            <FilterPill
              key={key}
              filter={filter}
              values={list.url.filters[key] ?? []}
              onChange={(values) => set(key, values)}
              opened={added.at(-1) === key}
            />
          ))}
          {further.length > 0 && (
            <Menu position="bottom-start" shadow="md" width={240} returnFocus={false}>
              <Menu.Target>
                <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />}>
                  {t('filter.more')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown mah="min(420px, var(--menu-room))">
                {further.map(([key, { label }]) => (
                  <Menu.Item key={key} onClick={() => setAdded([...added, key])}>
                    {label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </>
      )}
      {list.filtered && (
        <Button variant="subtle" size="compact-sm" onClick={() => list.go({ filters: {} })}>
          {t('list.clear')}
        </Button>
      )}
      <span className={classes.right}>
        {views && <ViewMenu screen={list.name} />}
        {!mobile && <ColumnMenu columns={list.columns} shown={list.shown} onShown={list.setShown} />}
      </span>
    </div>
  )
}
