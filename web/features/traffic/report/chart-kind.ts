import { metricOf, type MetricId } from '#contract/traffic/metric.ts'

/** How the parts of a metric are drawn: sums stand on each other, for they make the whole; rates and estimates do not. */
export function kindOfParts(metric: MetricId): 'line' | 'bars' {
  return metricOf(metric).additive ? 'bars' : 'line'
}
