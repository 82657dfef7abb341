import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { numberBy, patternIn, SERIES, seriesApi, type Series } from '#contract/money/series.ts'
import { query } from '#web/api/query.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SettingForm } from '#web/setting-form.tsx'

type Stored = CallOutput<typeof seriesApi.patterns>
type Begun = CallOutput<typeof seriesApi.begun>

/** How documents are numbered: each series from its next year that has not begun. */
export function SeriesSettings() {
  const { t } = useTranslation('document')
  const begun = useQuery(query(seriesApi.begun, {}))
  return (
    <QueryPage query={useQuery(query(seriesApi.patterns, {}))} failed={t('failed')}>
      {(stored) => (begun.data === undefined ? null : <SeriesForm stored={stored} begun={begun.data} />)}
    </QueryPage>
  )
}

function SeriesForm({ stored, begun }: { stored: Stored; begun: Begun }) {
  const { t } = useTranslation('document')
  const yearOf = (series: Series) => (begun.begun.includes(series) ? begun.year + 1 : begun.year)
  const form = useSaveForm({
    endpoint: seriesApi.updatePatterns,
    record: stored,
    valuesOf: ({ patterns }) =>
      // each of the series has its field
      Object.fromEntries(SERIES.map((series) => [series, patternIn(patterns, series, yearOf(series))])) as Record<Series, string>,
    toInput: (values, { version, patterns }) => {
      const changed = SERIES.filter((series) => values[series].trim() !== patternIn(patterns, series, yearOf(series)))
      const kept = patterns.filter(({ series, year }) => !changed.includes(series) || year < yearOf(series))
      const fresh = changed.map((series) => ({ series, year: yearOf(series), pattern: values[series].trim() }))
      return { body: { patterns: [...fresh, ...kept], version } }
    },
    invalidate: [seriesApi.patterns, seriesApi.begun],
  })
  return (
    <SettingForm of={form} section="series" label={t('series')} changed={stored.changed}>
      <FormSection title={t('series')} text={t('seriesText')}>
        {SERIES.map((series) => {
          const year = yearOf(series)
          const now = patternIn(stored.patterns, series, begun.year)
          return (
            <div key={series}>
              <TextField
                of={form}
                name={series}
                label={t('seriesFrom', { what: t(`series.${series}`), year })}
                help={t('seriesExample', { number: numberBy(form.values[series], { affiliate: 12, year, n: 3 }) })}
              />
              {year !== begun.year && (
                <Text fz={12.5} c="dimmed" mt={4}>
                  {t('seriesNow', { year: begun.year, number: numberBy(now, { affiliate: 12, year: begun.year, n: 3 }) })}
                </Text>
              )}
            </div>
          )
        })}
      </FormSection>
    </SettingForm>
  )
}
