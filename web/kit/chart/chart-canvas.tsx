import { useMantineColorScheme } from '@mantine/core'
import { LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use as register, type EChartsType } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { chartOption } from '#web/kit/chart/chart-option.ts'
import type { ChartData } from '#web/kit/chart/series.ts'

register([LineChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer])

export type ChartCanvasProps = ChartData & { kind: 'line' | 'bars' }

/** The drawing of lines; use `<Chart>`, which loads this when it is needed, and chart-bars.ts for bars. */
export function ChartCanvas({ kind, labels, series, format, soFar }: ChartCanvasProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  const { colorScheme } = useMantineColorScheme()

  useEffect(() => {
    const element = place.current
    if (element === null) return
    const made = init(element, undefined, { renderer: 'svg' })
    chart.current = made
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [])

  useEffect(() => {
    const draw = () => {
      if (place.current)
        chart.current?.setOption(chartOption({ kind, labels, series, format, soFar }, coloursOf(place.current)), { notMerge: true })
    }
    draw()
    // "as the system" may change its mind while the page is open
    const system = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => requestAnimationFrame(draw)
    system.addEventListener('change', redraw)
    return () => system.removeEventListener('change', redraw)
  }, [kind, labels, series, format, soFar, colorScheme])

  return <div ref={place} style={{ width: '100%', height: '100%' }} />
}

/** The colours in force where the chart stands. */
function coloursOf(element: HTMLElement) {
  const style = getComputedStyle(element)
  const value = (name: string) => style.getPropertyValue(name).trim()
  return {
    text: value('--ohma-text'),
    soft: value('--ohma-soft'),
    line: value('--ohma-line'),
    surface: value('--ohma-raised'),
    font: style.fontFamily,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches,
    series: [value('--ohma-accent-text') || value('--mantine-primary-color-filled'), ...SERIES.map(value)],
  }
}

const SERIES = [
  '--ohma-series-2',
  '--ohma-series-3',
  '--ohma-series-4',
  '--ohma-series-5',
  '--ohma-series-6',
  '--ohma-series-7',
  '--ohma-series-8',
]
