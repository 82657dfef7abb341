import type { Metric } from '#server/platform/metrics/text.ts'
import { readStatusFiles, type StatusFile } from '#server/platform/process/status-files.ts'

/** Older than that a process is silent. */
const SILENT_S = 10

const TRACKER: readonly [name: string, type: Metric['type'], help: string, figure: string, factor?: number][] = [
  ['ohma_tracker_clicks_total', 'counter', 'Clicks sent to an offer since the tracker started.', 'clicks'],
  ['ohma_tracker_refused_clicks_total', 'counter', 'Clicks refused by a rule.', 'refused'],
  ['ohma_tracker_unknown_links_total', 'counter', 'Links that lead nowhere, answered 404.', 'unknown'],
  ['ohma_tracker_stored_clicks_total', 'counter', 'Clicks that are on disk.', 'stored'],
  ['ohma_tracker_lost_clicks_total', 'counter', 'Clicks that were redirected but could not be stored.', 'lost'],
  ['ohma_tracker_unconfirmed_clicks_total', 'counter', 'Clicks redirected before they were on disk, because it hung.', 'unconfirmed'],
  ['ohma_tracker_spool_failing', 'gauge', '1 while the disk refuses clicks.', 'spool_failing'],
  ['ohma_tracker_postbacks_waiting', 'gauge', 'Postbacks that wait for the api.', 'postbacks_waiting'],
  ['ohma_tracker_snapshot_age_seconds', 'gauge', 'Since the tracker heard of the api.', 'snapshot_silent_ms', 0.001],
  [
    'ohma_tracker_loop_delay_seconds',
    'gauge',
    '99th percentile of the delay of the event loop in the last second.',
    'loop_delay_ms',
    0.001,
  ],
  ['ohma_tracker_memory_bytes', 'gauge', 'Resident memory.', 'memory_bytes'],
]
const INGESTER: typeof TRACKER = [
  ['ohma_ingester_lag_seconds', 'gauge', 'Age of the oldest segment of clicks that is not in the statistics.', 'lag_ms', 0.001],
  ['ohma_ingester_segments_waiting', 'gauge', 'Segments that wait.', 'segments_waiting'],
  ['ohma_ingester_rows_total', 'counter', 'Clicks stored in the statistics since the ingester started.', 'rows_sent'],
  ['ohma_ingester_quarantined_rows_total', 'counter', 'Clicks the statistics refused, set aside.', 'rows_quarantined'],
]

/**
 * What the trackers and the ingester of this machine say about themselves, read from the files they write once a second: several
 * trackers share a port, so whichever is asked answers for all.
 */
export async function trackerMetrics(dataDir: string, now: number): Promise<Metric[]> {
  const files = await readStatusFiles(dataDir, now)
  const trackers = files.filter(({ name }) => name.startsWith('tracker-'))
  const ingesters = files.filter(({ name }) => name === 'ingester')
  const labels = (file: StatusFile): Record<string, string> =>
    file.name === 'ingester' ? {} : { tracker: file.name.slice('tracker-'.length) }
  const up = (of: readonly StatusFile[]) => of.map((file) => ({ labels: labels(file), value: file.age_s > SILENT_S ? 0 : 1 }))
  const metricsOf = (of: readonly StatusFile[], table: typeof TRACKER): Metric[] =>
    table.map(([name, type, help, figure, factor = 1]) => ({
      name,
      type,
      help,
      values: of.map((file) => ({ labels: labels(file), value: numberOf(file.figures[figure], factor) })),
    }))
  return [
    { name: 'ohma_tracker_up', type: 'gauge', help: '1 while the tracker says that it lives.', values: up(trackers) },
    ...metricsOf(trackers, TRACKER),
    { name: 'ohma_ingester_up', type: 'gauge', help: '1 while the ingester says that it lives.', values: up(ingesters) },
    ...metricsOf(ingesters, INGESTER),
  ]
}

function numberOf(value: unknown, factor: number): number | null {
  if (value === null || value === undefined) return null
  // 3 ms are 0.003 s and not 0.0030000000000000001
  return factor === 1 ? Number(value) : Number((Number(value) * factor).toFixed(6))
}
