import { Button, Center, Group, Skeleton } from '@mantine/core'
import { IconChartLine, IconTable } from '@tabler/icons-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { locale } from '#web/notation.ts'
import { ChartTable } from '#web/kit/chart/chart-table.tsx'
import { describeSeries, type ChartData } from '#web/kit/chart/series.ts'

type ChartProps = Omit<ChartData, 'soFar'> & {
  kind: 'line' | 'bars'
  /** What the chart is about: "Clicks and conversions by day". */
  label: string
  height?: number
  /** The last step is still running: its figures are drawn as such and said to be so far. */
  unfinished?: boolean
  /** Stands above the picture, left of the way to the table. */
  caption?: ReactNode
}

// A page without its charts is still a page, so a drawing code that does not come is answered with words instead of an error.
const Canvas = lazy(() => {
  nameKnownLanguage()
  return withinChunkTimeout(() => import('#web/kit/chart/chart-canvas.tsx')).then(
    ({ ChartCanvas }) => ({ default: ChartCanvas }),
    unavailable,
  )
})

/** uPlot asks Intl for the browser's language while it loads, which under LANG=C is Chromium's `en-US@posix`: no language, and an error. */
function nameKnownLanguage(): void {
  try {
    Intl.NumberFormat(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: locale() ?? 'en-US', configurable: true })
  }
}

function unavailable() {
  return { default: ChartUnavailable }
}

/**
 * A line chart or stacked bars that follow the theme. The drawing code is fetched when the first chart is shown; until then its place is kept.
 * The same figures are a click away as a table, and stand in words for screen readers. Keep `labels`, `ticks`, `series` and `format` stable between renders.
 */
export function Chart({ kind, label, height = 280, unfinished = false, caption, labels, ticks, series, format, axis }: ChartProps) {
  const { t } = useTranslation('kit')
  const [table, setTable] = useState(false)
  const last = labels.at(-1)
  const soFar = unfinished && last !== undefined ? t('chart.soFar', { step: last }) : undefined
  const description = `${label}. ${describeSeries({ labels, series, format })}`
  return (
    <figure style={{ minWidth: 0 }} aria-label={label}>
      <Group justify="space-between" gap="xs" mih={26} mb={6}>
        <div>{caption}</div>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={table ? <IconChartLine size={14} aria-hidden /> : <IconTable size={14} aria-hidden />}
          onClick={() => setTable(!table)}
        >
          {t(table ? 'chart.picture' : 'chart.table')}
        </Button>
      </Group>
      {table ? (
        <ChartTable labels={labels} series={series} format={format} soFar={soFar} label={label} height={height} />
      ) : (
        <div style={{ height }}>
          <Suspense fallback={<Skeleton height={height} />}>
            <Canvas
              {...(axis && { axis })}
              kind={kind}
              labels={labels}
              ticks={ticks}
              series={series}
              format={format}
              soFar={soFar}
              description={description}
            />
          </Suspense>
        </div>
      )}
    </figure>
  )
}

function ChartUnavailable() {
  const { t } = useTranslation('kit')
  return (
    <Center h="100%">
      <p className="ohma-soft">{t('chart.failed')}</p>
    </Center>
  )
}
