import { expect, test } from 'vitest'
import { METRIC_IDS } from '#contract/traffic/metric.ts'
import { kindOfParts } from '#web/features/traffic/report/chart-kind.ts'

test('parts stand on each other only where they add up: never rates, averages and estimates', () => {
  expect(METRIC_IDS.filter((id) => kindOfParts(id) === 'line')).toEqual([
    'uniques',
    'cr',
    'approval',
    'epc',
    'revenue_epc',
    'margin',
    'time_to_conversion',
    'lead_acceptance',
    'lead_cr',
    'lead_epl',
    'send_acceptance',
    'answer_time',
  ])
})
