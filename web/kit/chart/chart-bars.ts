import { BarChart } from 'echarts/charts'
import { use as register } from 'echarts/core'
import { ChartCanvas } from '#web/kit/chart/chart-canvas.tsx'

register([BarChart])

/** The drawing of bars, which the first screen has none of: 8 KB that need not come with its line. */
export const BarsCanvas = ChartCanvas
