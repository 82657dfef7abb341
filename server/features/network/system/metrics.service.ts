import { SYSTEM_RUNS, type SystemState } from '#contract/network/system.ts'
import { lastCheck } from '#server/features/money/ledger/books.queries.ts'
import type { HttpCounts } from '#server/platform/http/metrics.ts'
import { single, type Metric } from '#server/platform/metrics/text.ts'
import { memoryOf } from '#server/platform/process/memory.ts'
import { readProcessList } from '#server/platform/process/status-files.ts'
import { judge } from './judge.ts'
import { lookAround, type SystemParts } from './look.service.ts'

const STATES: Readonly<Record<SystemState, number>> = { ok: 0, warn: 1, bad: 2 }

/** Queues, storage, backups and processes, from the source of the system page. */
export async function systemMetrics(parts: SystemParts & { version: string; http: HttpCounts }, now: number): Promise<Metric[]> {
  const [seen, noted, books] = await Promise.all([lookAround(parts, now), readProcessList(parts.dataDir), lastCheck(parts.db)])
  const memory = await memoryOf(noted.map(({ pid }) => pid))
  const age = (at: Date | null) => (at === null ? null : Math.max(0, (now - at.getTime()) / 1000))
  const moment = (at: Date | string | null | undefined) => (at === null || at === undefined ? null : new Date(at).getTime() / 1000)
  const { outbox, postbacks, mail, statistics, storage } = seen
  const differences = seen.runs
    .find(({ kind, state }) => kind === 'self_check' && state === 'done')
    ?.result.checks?.reduce((sum, { different }) => sum + different, 0)
  return [
    {
      name: 'ohma_info',
      type: 'gauge',
      help: 'Which versions run.',
      values: [{ labels: { version: parts.version, node: process.versions.node }, value: 1 }],
    },
    {
      name: 'ohma_system_state',
      type: 'gauge',
      help: 'A line of the system page: 0 good, 1 attention, 2 broken.',
      values: judge(seen, now).map(({ id, subject, state }) => ({ labels: { line: id, subject }, value: STATES[state] })),
    },
    {
      name: 'ohma_http_requests_total',
      type: 'counter',
      help: 'Answers of the api, by the class of their status.',
      values: [...parts.http.requests].map(([code, value]) => ({ labels: { code }, value })),
    },
    single('ohma_http_request_seconds_total', 'counter', 'Time these answers took together.', parts.http.seconds),
    single('ohma_outbox_rows', 'gauge', 'Changes of conversions on their way to the statistics.', outbox.rows),
    single('ohma_outbox_oldest_seconds', 'gauge', 'Age of the oldest of them.', age(outbox.oldest)),
    single('ohma_postbacks_waiting', 'gauge', 'Received postbacks that wait for their click.', postbacks.waiting),
    single('ohma_last_postback_timestamp_seconds', 'gauge', 'When the last postback was received.', moment(postbacks.last_at)),
    single('ohma_deliveries_due', 'gauge', 'Postbacks to affiliates that are due.', postbacks.deliveries_due),
    single('ohma_deliveries_oldest_seconds', 'gauge', 'How long the oldest of them is due.', age(postbacks.due_since)),
    single('ohma_deliveries_given_up', 'gauge', 'Postbacks to affiliates given up within a day.', postbacks.deliveries_dead),
    single('ohma_mail_waiting', 'gauge', 'Messages that wait.', mail.waiting),
    single('ohma_mail_oldest_seconds', 'gauge', 'Age of the oldest message that is due.', age(mail.due_since)),
    single('ohma_jobs_failed', 'gauge', 'Jobs by the clock that failed within a day.', seen.jobs?.failed),
    single('ohma_statistics_up', 'gauge', '1 while the statistics answer.', statistics.ms === null ? 0 : 1),
    single(
      'ohma_statistics_answer_seconds',
      'gauge',
      'How long they take for nothing.',
      statistics.ms === null ? null : statistics.ms / 1000,
    ),
    {
      name: 'ohma_storage_bytes',
      type: 'gauge',
      help: 'What a part takes on disk, measured hourly.',
      values: storage.parts.map(({ part, bytes }) => ({ labels: { part }, value: bytes })),
    },
    single('ohma_storage_free_bytes', 'gauge', 'Free space of the disk with the least of it.', storage.free_bytes),
    single('ohma_storage_days_left', 'gauge', 'Until it is full at the growth of a week.', storage.days_left),
    single('ohma_last_backup_timestamp_seconds', 'gauge', 'When the last good backup was finished.', moment(seen.backup_at)),
    {
      name: 'ohma_last_run_timestamp_seconds',
      type: 'gauge',
      help: 'When long work of each kind last went well.',
      values: SYSTEM_RUNS.map((kind) => ({
        labels: { kind },
        value: moment(seen.runs.find((run) => run.kind === kind && run.state === 'done')?.finished_at),
      })),
    },
    single(
      'ohma_books_ok',
      'gauge',
      '1 while the last comparison of the books found no difference, noted or not.',
      books && Number(books.fingerprint === ''),
    ),
    single('ohma_self_check_differences', 'gauge', 'What did not agree in the last comparison of the books.', differences),
    {
      name: 'ohma_process_memory_bytes',
      type: 'gauge',
      help: 'Memory of a process and what it started, shared pages counted once.',
      values: noted.map(({ name, pid }) => ({ labels: { process: name }, value: memory.get(pid) })),
    },
    {
      name: 'ohma_process_restarts_total',
      type: 'counter',
      help: 'How often a process came back since the instance was started.',
      values: noted.map(({ name, restarts }) => ({ labels: { process: name }, value: restarts ?? 0 })),
    },
  ]
}
