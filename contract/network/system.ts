import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line, moment, timeZone } from '#contract/fields.ts'
import { defineSetting } from './define-setting.ts'
import { smtpOutcome } from './smtp.ts'

export const systemState = z.enum(['ok', 'warn', 'bad'])
export type SystemState = z.output<typeof systemState>

/** What the system page looks at, in its order. Trackers have a line each, and so has each domain that fails. */
export const SYSTEM_LINES = [
  'tracker',
  'ingester',
  'lag',
  'last_click',
  'statistics',
  'outbox',
  'last_postback',
  'deliveries',
  'mail',
  'jobs',
  'domain',
  'storage',
  'backup',
  'trial',
  'self_check',
  'places',
] as const
export type SystemLine = (typeof SYSTEM_LINES)[number]

/** What can be wrong with a line; what to do about it the page says in words. */
export const SYSTEM_PROBLEMS = [
  'silent',
  'losing',
  'lost',
  'slow_disk',
  'cut_off',
  'engine_away',
  'quarantined',
  'late',
  'away',
  'given_up',
  'refused',
  'failing',
  'not_set_up',
  'low',
  'full',
  'none',
  'failed',
  'overdue',
  'differs',
  'old',
  /** Nobody has done it yet, or nothing of it has come: neither good nor bad, unless that lasts. */
  'never',
  /** What fails of a domain. */
  'resolves',
  'http',
  'https',
  'certificate',
  'unsafe',
] as const

export const systemLine = z.object({
  id: z.enum(SYSTEM_LINES),
  /** Which of several: the name of a tracker, a domain that fails; '' where there is one. */
  subject: z.string(),
  state: systemState,
  problem: z.enum(SYSTEM_PROBLEMS).nullable(),
  /** How many wait, were lost, failed or differ. */
  count: z.int().nullable(),
  /** How old the oldest of them is, or how late the statistics are. */
  seconds: z.number().nullable(),
  /** When it happened last. */
  at: moment.nullable(),
  bytes: z.int().nullable(),
  /** In whose words: a server’s, a job’s name; '' for none. */
  detail: z.string(),
})

export const SYSTEM_RUNS = ['self_check', 'backup', 'trial'] as const
export type SystemRunKind = (typeof SYSTEM_RUNS)[number]

/** What the books and figures are compared by, in its order. */
export const SELF_CHECKS = ['ledger', 'transfers', 'facts', 'caps', 'chain', 'clicks'] as const

/** What was compared: how much of it, how much differs, and the first of what does. */
export const selfCheck = z.object({
  id: z.enum(SELF_CHECKS),
  compared: z.int(),
  different: z.int(),
  examples: z.array(z.string()),
  /** Why it could not be compared; '' where it was. */
  skipped: z.string(),
})

/** What came of long work; only what its kind has. */
export const systemResult = z.object({
  checks: z.array(selfCheck).optional(),
  file: z.string().optional(),
  bytes: z.int().optional(),
  rows: z.int().optional(),
  clicks: z.int().optional(),
})

const whole = (least: number, most: number) => {
  const mistake = `A whole number from ${least} to ${most}`
  return z.number(mistake).int(mistake).min(least, mistake).max(most, mistake)
}

/** When the instance backs itself up, where to, and how long backups are kept. */
export const backupSetting = defineSetting(
  'backup',
  { access: 'system.backup', about: 'when and where the instance backs itself up', key: 'never' },
  {
    on: z.boolean(),
    /** A folder of the server outside of the data folder, better on another disk; '' = none yet. */
    folder: line(500),
    /** The hour of a day in this zone. */
    hour: whole(0, 23),
    time_zone: timeZone,
    /** The last one of so many days, and of so many weeks, is kept; the youngest always. */
    daily: whole(1, 90),
    weekly: whole(0, 104),
    /** Whether the latest is restored for trial once a week. */
    trial: z.boolean(),
  },
  { on: false, folder: '', hour: 3, time_zone: 'UTC', daily: 7, weekly: 4, trial: true },
)

/** Long work of the instance: the books compared, a backup, one restored for trial. */
export const systemRun = z.object({
  kind: z.enum(SYSTEM_RUNS),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** '' = the clock. */
  asked_by: z.string(),
  asked_at: moment,
  started_at: moment.nullable(),
  finished_at: moment.nullable(),
  /** Steps done, of so many; 0 of 0 before it is known. */
  done: z.int(),
  total: z.int(),
  result: systemResult,
  error: z.string(),
})

const process = z.object({
  name: z.string(),
  pid: z.int(),
  /** Its part of the memory that is in use, shared pages counted once; null where the system does not tell. */
  memory_bytes: z.int().nullable(),
  started_at: moment.nullable(),
  /** How often it came back since the instance was started. */
  restarts: z.int(),
})

export const STORAGE_PARTS = ['business', 'statistics', 'spool', 'quarantine', 'files', 'other'] as const

export const systemStatus = z.object({
  at: moment,
  /** The worst of its lines. */
  state: systemState,
  lines: z.array(systemLine),
  processes: z.array(process),
  storage: z.object({
    /** Measured hourly; null before the first time. */
    measured_at: moment.nullable(),
    parts: z.array(z.object({ part: z.enum(STORAGE_PARTS), bytes: z.int(), per_day: z.int().nullable() })),
    /** Of the file system with the least of it that the instance writes to. */
    free_bytes: z.int().nullable(),
    total_bytes: z.int().nullable(),
    /** Until it is full at the growth of the last week; null where nothing grows or nobody knows yet. */
    days_left: z.number().nullable(),
  }),
  versions: z.array(z.object({ part: z.enum(['ohma', 'node', 'postgresql', 'clickhouse', 'system']), version: z.string() })),
  /** The last of each kind, and the one before it where that one is still under way. */
  runs: z.array(systemRun),
  backups: z.object({
    on: z.boolean(),
    folder: z.string(),
    next_at: moment.nullable(),
    /** Those in the folder, the youngest first, at most 50. */
    files: z.array(z.object({ name: z.string(), bytes: z.int(), at: moment })),
    free_bytes: z.int().nullable(),
  }),
  /** Whether the caller may make backups and say when. */
  may_back_up: z.boolean(),
})

export const systemApi = {
  read: endpoint({
    method: 'GET',
    path: '/api/system/v1/status',
    access: 'system.read',
    summary: 'How this instance is: queues, processes, storage, versions, backups, and whether books and figures agree.',
    response: systemStatus,
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/system/v1/check',
    access: 'system.read',
    summary: 'Compares books and figures, in the background; asked for twice it runs once.',
    response: z.object({}),
  }),
  backUp: endpoint({
    method: 'POST',
    path: '/api/system/v1/back-up',
    access: 'system.backup',
    key: 'never',
    summary: 'Makes a backup now, or restores the latest for trial, in the background; asked for twice it runs once.',
    body: z.object({ kind: z.enum(['backup', 'trial']) }),
    response: z.object({}),
  }),
  backup: backupSetting.read,
  updateBackup: backupSetting.update,
  testMail: endpoint({
    method: 'POST',
    path: '/api/system/v1/test-mail',
    access: 'system.read',
    summary: 'Sends a test message to the own address by the mail server as it is set. At most 5 in ten minutes.',
    response: smtpOutcome,
  }),
}
