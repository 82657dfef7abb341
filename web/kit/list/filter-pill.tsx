import { Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { day } from '#web/format.ts'
import { daysText } from '#web/period.ts'
import { ChoiceMenu } from '#web/kit/list/choice-menu.tsx'
import type { Filter } from '#web/kit/list/filter.ts'
import { Pill } from '#web/kit/list/pill.tsx'
import { ReferenceMenu } from '#web/kit/list/reference-menu.tsx'
import { TextsMenu } from '#web/kit/list/texts-menu.tsx'
import { useSummary } from '#web/kit/list/value-names.ts'

/** Calendars come with the first menu that has one. */
const DaysMenu = lazy(async () => ({ default: (await withinChunkTimeout(() => import('#web/kit/list/days-menu.tsx'))).DaysMenu }))

type FilterPillProps = { filter: Filter; values: readonly string[]; onChange: (values: string[]) => void; opened: boolean }

/** One filter of a list with the values it may have. */
export function FilterPill({ filter, values, onChange, opened }: FilterPillProps) {
  const { t } = useTranslation('kit')
  const [seen, setSeen] = useState<Readonly<Record<string, string>>>({})
  const words = useSummary(filter, values, seen)
  return (
    <Pill label={filter.label} summary={values.some(Boolean) ? summary() : undefined} opened={opened} onClear={() => onChange([])}>
      {(close) => (
        <>
          {filter.kind === 'choice' && <ChoiceMenu filter={filter} values={values} onChange={onChange} onDone={close} />}
          {filter.kind === 'reference' && (
            <ReferenceMenu
              filter={filter}
              values={values}
              onDone={close}
              onChange={(next, known) => {
                setSeen({ ...seen, ...known })
                onChange(next)
              }}
            />
          )}
          {filter.kind === 'texts' && <TextsMenu label={filter.label} values={values} onChange={onChange} />}
          {filter.kind === 'days' && (
            // as high as what comes, and where the focus waits for it
            <Suspense fallback={<Skeleton height={118} tabIndex={-1} data-autofocus />}>
              <DaysMenu values={values} onChange={onChange} />
            </Suspense>
          )}
        </>
      )}
    </Pill>
  )

  function summary(): string {
    const [first = '', second = ''] = values
    if (filter.kind !== 'days') return words
    if (first && second) return daysText(first, second)
    return first ? t('filter.since', { day: day(first) }) : t('filter.until', { day: day(second) })
  }
}
