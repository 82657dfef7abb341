import type { EChartsCoreOption } from 'echarts/core'
import type { ChartData, Series } from '#web/kit/chart/series.ts'

export type ChartColours = {
  text: string
  soft: string
  line: string
  surface: string
  font: string
  still: boolean
  series: readonly string[]
}

/** What ECharts needs to draw the data in these colours. */
export function chartOption(
  { kind, labels, series, format, soFar }: ChartData & { kind: 'line' | 'bars' },
  colours: ChartColours,
): EChartsCoreOption {
  return {
    animation: !colours.still,
    animationDuration: 200,
    animationDurationUpdate: 200,
    textStyle: { fontFamily: colours.font },
    color: [...colours.series],
    grid: { left: 4, right: 12, top: series.length > 1 ? 36 : 12, bottom: 4, containLabel: true },
    legend:
      series.length > 1
        ? {
            top: 0,
            left: 0,
            right: 0,
            type: 'scroll',
            icon: 'roundRect',
            itemWidth: 10,
            itemHeight: 10,
            itemGap: 16,
            textStyle: { color: colours.soft, fontSize: 12.5 },
          }
        : { show: false },
    tooltip: {
      trigger: 'axis',
      // HTML is made by ECharts from these texts; names come from people and are escaped by it
      renderMode: 'richText',
      axisPointer: {
        type: kind === 'bars' ? 'shadow' : 'line',
        lineStyle: { color: colours.soft },
        shadowStyle: { color: colours.line, opacity: 0.4 },
        // the first line of the tooltip
        label: { formatter: ({ value }: { value: unknown }) => (value === labels.at(-1) ? (soFar ?? String(value)) : String(value)) },
      },
      backgroundColor: colours.surface,
      borderColor: colours.line,
      textStyle: { color: colours.text, fontSize: 12.5 },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? format(value) : '–'),
    },
    xAxis: {
      type: 'category',
      data: [...labels],
      boundaryGap: kind === 'bars',
      axisLine: { lineStyle: { color: colours.line } },
      axisTick: { show: false },
      axisLabel: { color: colours.soft, fontSize: 12, hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      // whole figures have no marks between whole numbers, which would read 0, 0, 1, 1
      minInterval: series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value))) ? 1 : 0,
      splitNumber: 4,
      splitLine: { lineStyle: { color: colours.line } },
      axisLabel: { color: colours.soft, fontSize: 12, formatter: (value: number) => format(value) },
    },
    series: series.flatMap<object>((one, index) => {
      const colour = one.earlier || one.rest ? colours.soft : (colours.series[index % colours.series.length] ?? colours.text)
      if (kind === 'bars' && !one.earlier) return barsOf(one, colour, soFar !== undefined)
      return soFar === undefined || one.earlier ? lineOf(one, colour) : unfinishedLine(one, colour)
    }),
  }
}

function barsOf({ name, values, rest = false }: Series, colour: string, unfinished: boolean) {
  const itemStyle = { color: colour, opacity: rest ? 0.7 : 1 }
  const pale = { itemStyle: { color: colour, opacity: itemStyle.opacity / 2 } }
  const data = values.map((value, index) => (unfinished && index === values.length - 1 ? { value, ...pale } : value))
  return { type: 'bar', name, stack: 'all', data, barMaxWidth: 36, itemStyle }
}

function lineOf({ name, values, earlier = false }: Series, colour: string) {
  return {
    type: 'line',
    name,
    data: [...values],
    // a single point has no line to be seen by
    showSymbol: values.length === 1,
    symbol: 'circle',
    symbolSize: 6,
    itemStyle: { color: colour },
    lineStyle: { width: earlier ? 1.5 : 2, type: earlier ? 'dashed' : 'solid', opacity: earlier ? 0.6 : 1 },
  }
}

/** A line has one pattern from end to end: the whole is dashed, and a plain one covers it up to the last finished step. */
function unfinishedLine(series: Series, colour: string) {
  const whole = lineOf(series, colour)
  const finished = { ...whole, data: whole.data.slice(0, -1), silent: true, tooltip: { show: false } }
  return [{ ...whole, lineStyle: { width: 2, type: [3, 4], opacity: 0.7 } }, finished]
}
