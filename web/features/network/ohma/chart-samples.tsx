import { Group } from '@mantine/core'
import { integer } from '#web/format.ts'
import { Chart } from '#web/kit/chart/chart.tsx'
import { Sparkline } from '#web/kit/chart/sparkline.tsx'

const DAYS = Array.from({ length: 30 }, (_none, index) => `${index + 1} Nov`)
const wave = (scale: number, shift: number) =>
  DAYS.map((_day, index) => Math.round(scale * (2 + Math.sin((index + shift) / 4) + index / 20)))
const LINES = [
  { id: 'clicks', name: 'Clicks', values: wave(1200, 0) },
  { id: 'before', name: 'Clicks, the period before', values: wave(1000, 2), earlier: true },
]
const BARS = ['UA', 'PL', 'DE', 'US', 'BR', 'CZ', 'IN', 'Other'].map((geo, index) => ({
  id: geo,
  name: geo,
  values: wave(400 - index * 40, index * 2),
}))
const format = (value: number) => integer(Math.round(value))

/** Lines with a comparison, stacked bars, and small lines for cards. */
export function ChartSamples() {
  return (
    <>
      <Chart kind="line" label="Clicks by day" labels={DAYS} series={LINES} format={format} />
      <Chart kind="bars" label="Clicks by day and country" labels={DAYS} series={BARS} format={format} />
      <Group gap="10px 14px">
        <Sparkline values={wave(10, 0)} label="Clicks of 30 days" />
        <Sparkline values={[5, 5, 5, 5]} label="A flat line" />
        <Sparkline values={[1, 90, 3]} label="Three days" width={60} />
      </Group>
    </>
  )
}
