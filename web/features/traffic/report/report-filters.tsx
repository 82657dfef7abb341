import { Button, Group, Menu } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DIMENSIONS, FILTER_IDS, isFilter, type FilterId } from '#contract/traffic/dimension.ts'
import { filterKey, useDimensionFilters } from '#web/click-fields.tsx'
import { useKeyLabel } from '#web/features/traffic/report/key-label.ts'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'
import { FilterPill } from '#web/kit/list/filter-pill.tsx'

/** Filters that are chosen or typed here; people, offers and the like are narrowed to by a click on their row. */
const TYPED = FILTER_IDS.filter(
  (id) => DIMENSIONS[id].type === 'text' || ['device', 'connection', 'os', 'browser', 'language'].includes(id),
)

/** What the report is narrowed to, and a menu to narrow it by any text, exactly or by a part of it. */
export function ReportFilters({ report }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const { t: dimension } = useTranslation('dimension')
  const { address, go, options } = report
  const [added, setAdded] = useState<readonly FilterId[]>([])
  const typed = useDimensionFilters(TYPED)
  const used = FILTER_IDS.filter((id) => address.filters[id] !== undefined)
  const further = options.dimensions.filter(({ id }) => TYPED.some((one) => one === id && !used.includes(one) && !added.includes(one)))
  const set = (id: FilterId, values: string[]) => go({ filters: { ...address.filters, [id]: values.length > 0 ? values : undefined } })
  return (
    <Group gap={6} aria-label={t('filters')} role="group">
      <span className="ohma-soft">{t('filters')}</span>
      {FILTER_IDS.filter((id) => used.includes(id) || added.includes(id)).map((id) => {
        const values = address.filters[id] ?? []
        const filter = typed[filterKey(id)]
        // a row without a value is narrowed to by an empty text, which no menu holds
        if (filter === undefined || values.includes('')) return <FilterChip key={id} id={id} report={report} />
        return (
          <FilterPill
            key={id}
            filter={filter}
            values={values}
            onChange={(next) => set(id, next)}
            opened={added.at(-1) === id && values.length === 0}
          />
        )
      })}
      <Menu position="bottom-start" shadow="md" width={240} returnFocus={false}>
        <Menu.Target>
          <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />}>
            {t('addFilter')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="min(420px, var(--menu-room))">
          {[...new Set(further.map(({ group }) => group))].map((kind) => (
            <div key={kind} role="group" aria-label={t(`kind.${kind}` as 'kind.time')}>
              <Menu.Label>{t(`kind.${kind}` as 'kind.time')}</Menu.Label>
              {further
                .filter(({ group }) => group === kind)
                .map(({ id }) => (
                  <Menu.Item key={id} onClick={() => isFilter(id) && setAdded([...added, id])}>
                    {dimension(id)}
                  </Menu.Item>
                ))}
            </div>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

function FilterChip({ id, report }: { id: FilterId; report: ReportState }) {
  const { t } = useTranslation('dimension')
  const report$ = useTranslation('report')
  const labelOf = useKeyLabel()
  const values = report.address.filters[id] ?? []
  const shown = values.map((value) => labelOf(id, { id: value, label: report.names.get(`${id} ${value}`) ?? value })).join(', ')
  return (
    <Button
      size="compact-sm"
      variant="light"
      rightSection={<IconX size={13} aria-hidden />}
      aria-label={report$.t('removeFilter', { filter: `${t(id)}: ${shown}` })}
      onClick={() => report.go({ filters: { ...report.address.filters, [id]: undefined } })}
    >
      {t(id)}: {shown}
    </Button>
  )
}
