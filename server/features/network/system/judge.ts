import type { z } from 'zod'
import type { SYSTEM_PROBLEMS, SystemLine, SystemState, systemLine } from '#contract/network/system.ts'
import { problemIn } from '#server/features/network/mail/mail.present.ts'
import type { Seen } from './look.service.ts'
import { secondsOf, type StatusFile } from '#server/platform/process/status-files.ts'

export type Line = z.output<typeof systemLine>
type Problem = (typeof SYSTEM_PROBLEMS)[number]
type Verdict = { state: SystemState; problem: Problem | null }
const FINE: Verdict = { state: 'ok', problem: null }
const NEVER: Verdict = { state: 'ok', problem: 'never' }
const warn = (problem: Problem): Verdict => ({ state: 'warn', problem })
const bad = (problem: Problem): Verdict => ({ state: 'bad', problem })

/** A process writes its file each second: this old, it hangs or is gone. */
const SILENT_S = 10
/** Clicks and conversions are in reports within two seconds; it is said when it takes this long. */
const LATE_S = { warn: 20, bad: 120 }
const MAIL_LATE_S = { warn: 300, bad: 1_800 }
const DELIVERIES_LATE_S = { warn: 120, bad: 900 }
const JOBS_LATE_S = { warn: 600, bad: 3_600 }
/** Clicks lost within the last minutes are an alarm, earlier ones of the day to be looked at. */
const LOSING_MS = 600_000
const DAY = 86_400_000
const GIGABYTE = 1024 ** 3
const SPACE = { warn: 3 * GIGABYTE, bad: GIGABYTE }
const DAYS_LEFT = { warn: 14, bad: 2 }
/** Countries and networks move slowly, cities do not. */
const PLACES_OLD_MS = 270 * DAY
/** A day, an hour for the change of clocks, and one to make it. */
const BACKUP_LATE_MS = 26 * 3_600_000
const CHECKED_OLD_MS = 8 * DAY
/** Books are compared once a day: a network of that age where it never happened is told so. */
const UNCHECKED_MS = 2 * DAY

/** The lines of the system page: what was seen, and whether it is good. The only place that decides this. */
export function judge(seen: Seen, now: number): Line[] {
  return [
    ...processLines(seen, now),
    ...trafficLines(seen, now),
    mailLine(seen, now),
    jobsLine(seen, now),
    ...domainLines(seen),
    storageLine(seen),
    ...careLines(seen, now),
  ]
}

/** The worst of some states. */
export function worst(states: readonly SystemState[]): SystemState {
  return states.includes('bad') ? 'bad' : states.includes('warn') ? 'warn' : 'ok'
}

function line(id: SystemLine, verdict: Verdict, told: Partial<Omit<Line, 'id' | 'state' | 'problem'>> = {}): Line {
  return { id, subject: '', count: null, seconds: null, at: null, bytes: null, detail: '', ...verdict, ...told }
}

function late(seconds: number, after: { warn: number; bad: number }): Verdict {
  return seconds > after.bad ? bad('late') : seconds > after.warn ? warn('late') : FINE
}

function processLines({ files, quarter }: Seen, now: number): Line[] {
  const ingester = files.find(({ name }) => name === 'ingester')
  const lag = files.map((file) => file.figures['lag_ms']).find((value) => typeof value === 'number')
  const sent = Number(ingester?.figures['last_sent_at'] ?? 0)
  const lastClick = Math.max(sent, quarter ?? 0)
  return [
    ...files
      .filter(({ name }) => name.startsWith('tracker-'))
      .map((file) =>
        line('tracker', judgeTracker(file, now), {
          subject: file.name.slice('tracker-'.length),
          count: figure(file, 'lost') || null,
          seconds: file.age_s,
        }),
      ),
    ...(ingester === undefined
      ? []
      : [
          line('ingester', judgeIngester(ingester), {
            count: figure(ingester, 'rows_quarantined') || null,
            seconds: ingester.age_s,
            detail: figureText(ingester, 'engine_away_since') === '' ? '' : figureText(ingester, 'last_error').slice(0, 300),
          }),
        ]),
    line('lag', lag === undefined ? NEVER : late(lag / 1000, LATE_S), { seconds: lag === undefined ? null : secondsOf(lag) }),
    line('last_click', lastClick === 0 ? NEVER : FINE, { at: lastClick === 0 ? null : new Date(lastClick).toISOString() }),
  ]
}

/** How a tracker or the ingester is, by its own file. */
export function judgeProcess(file: StatusFile, now: number): SystemState {
  const own = file.name === 'ingester' ? judgeIngester(file).state : judgeTracker(file, now).state
  return worst([own, late(figure(file, 'lag_ms') / 1000, LATE_S).state])
}

function judgeTracker(file: StatusFile, now: number): Verdict {
  if (file.age_s > SILENT_S) return bad('silent')
  const lostAt = Date.parse(figureText(file, 'lost_at'))
  if (file.figures['spool_failing'] === true) return bad('losing')
  if (figure(file, 'lost') > 0) {
    // a tracker that does not say when has lost them just now for all we know
    if (Number.isNaN(lostAt) || now - lostAt < LOSING_MS) return bad('losing')
    if (now - lostAt < DAY) return warn('lost')
  }
  if (figure(file, 'snapshot_silent_ms') > 60_000) return warn('cut_off')
  if (figure(file, 'unconfirmed') > 0) return warn('slow_disk')
  return figure(file, 'postbacks_waiting') > 0 ? warn('late') : FINE
}

function judgeIngester(file: StatusFile): Verdict {
  if (file.age_s > SILENT_S) return bad('silent')
  if ((file.figures['engine_away_since'] ?? null) !== null) return bad('engine_away')
  return figure(file, 'rows_quarantined') > 0 ? warn('quarantined') : FINE
}

function trafficLines({ outbox, postbacks, statistics }: Seen, now: number): Line[] {
  const oldest = outbox.oldest === null ? null : secondsOf(now - outbox.oldest.getTime())
  const due = postbacks.due_since === null ? 0 : secondsOf(now - postbacks.due_since.getTime())
  const deliveries = late(due, DELIVERIES_LATE_S)
  return [
    line('statistics', statistics.ms === null ? bad('away') : FINE, { seconds: statistics.ms === null ? null : statistics.ms / 1000 }),
    line('outbox', late(oldest ?? 0, LATE_S), { count: outbox.rows, seconds: oldest }),
    line('last_postback', postbacks.last_at === null ? NEVER : FINE, {
      at: postbacks.last_at?.toISOString() ?? null,
      count: postbacks.waiting,
    }),
    line('deliveries', deliveries.state === 'ok' && postbacks.deliveries_dead > 0 ? warn('given_up') : deliveries, {
      count: deliveries.state === 'ok' && postbacks.deliveries_dead > 0 ? postbacks.deliveries_dead : postbacks.deliveries_due,
      seconds: postbacks.due_since === null ? null : due,
    }),
  ]
}

/** A wrong address is the recipient’s; a server that takes nothing, or refuses many, is ours. Nobody waits for the demo network’s mail. */
function mailLine({ mail, canSend, demo }: Seen, now: number): Line {
  const waits = mail.due_since === null ? 0 : secondsOf(now - mail.due_since.getTime())
  const told = {
    count: mail.waiting,
    seconds: mail.due_since === null ? null : waits,
    at: mail.last_sent?.toISOString() ?? null,
    detail: mail.last_error === null ? '' : problemIn(mail.last_error).detail || mail.last_error,
  }
  if (!canSend) return line('mail', mail.waiting > 0 && !demo ? warn('not_set_up') : { state: 'ok', problem: 'not_set_up' }, told)
  const overdue = late(waits, MAIL_LATE_S)
  if (overdue.state === 'bad') return line('mail', overdue, told)
  const failedLast = mail.last_failed !== null && (mail.last_sent === null || mail.last_failed > mail.last_sent)
  if (failedLast || mail.tried > 0) return line('mail', warn('failing'), told)
  const many = mail.refused >= 5 && mail.refused * 5 > mail.sent
  return line('mail', many ? warn('refused') : overdue, many ? { ...told, count: mail.refused } : told)
}

function jobsLine({ jobs }: Seen, now: number): Line {
  if (jobs === null) return line('jobs', FINE)
  const due = jobs.due_since === null ? 0 : secondsOf(now - jobs.due_since.getTime())
  const overdue = late(due, JOBS_LATE_S)
  const told = { count: jobs.failed, seconds: overdue.state === 'ok' ? null : due, detail: jobs.name ?? '' }
  return line('jobs', overdue.state === 'ok' && jobs.failed > 0 ? warn('failed') : overdue, told)
}

/** Those that fail by name, with what is wrong first; how many are well where none does. A single look may be mistaken. */
function domainLines({ domains: { failing, used, failing_count } }: Seen): Line[] {
  if (failing.length === 0) return used === 0 ? [] : [line('domain', FINE, { count: used })]
  const more = failing_count - failing.length
  return failing.map(({ host, failing: check, failing_since, told_at }, index) =>
    line('domain', told_at === null ? warn(check) : bad(check), {
      subject: host,
      at: failing_since?.toISOString() ?? null,
      // the last one says how many more there are
      count: more > 0 && index === failing.length - 1 ? more : null,
    }),
  )
}

function storageLine({ storage: { free_bytes, days_left } }: Seen): Line {
  const free = free_bytes ?? Infinity
  const days = days_left ?? Infinity
  const verdict = free < SPACE.bad || days < DAYS_LEFT.bad ? bad('full') : free < SPACE.warn || days < DAYS_LEFT.warn ? warn('low') : FINE
  return line('storage', verdict, { bytes: free_bytes, count: days_left === null ? null : Math.floor(days_left) })
}

function careLines({ runs, backup_at, demo, places_of, backups, storage: { since } }: Seen, now: number): Line[] {
  const settled = (kind: string) => runs.find((run) => run.kind === kind && run.finished_at !== null)
  const done = (kind: string) => runs.find((run) => run.kind === kind && run.state === 'done')
  const [backup, trial, check] = [settled('backup'), settled('trial'), settled('self_check')]
  // the demo network is made anew at any time: nobody misses it
  const overdue = backups.on && backup_at !== null && now - Date.parse(backup_at) > BACKUP_LATE_MS
  // one that is switched on is asked for within a minute
  const begun = backups.on && runs.some((run) => run.kind === 'backup' && now - run.asked_at.getTime() < BACKUP_LATE_MS)
  const kept: Verdict =
    backup?.state === 'failed'
      ? bad('failed')
      : overdue
        ? bad('overdue')
        : backup_at === null
          ? begun || demo
            ? NEVER
            : warn('none')
          : FINE
  const different = (done('self_check')?.result.checks ?? []).reduce((sum, one) => sum + one.different, 0)
  const skipped = (check?.result.checks ?? []).filter((one) => one.skipped !== '').length
  const checkedAt = check?.finished_at ?? null
  const books: Verdict =
    different > 0
      ? bad('differs')
      : check?.state === 'failed' || skipped > 0
        ? warn('failed')
        : checkedAt === null
          ? since !== null && now - Date.parse(since) > UNCHECKED_MS
            ? warn('never')
            : NEVER
          : now - checkedAt.getTime() > CHECKED_OLD_MS
            ? warn('old')
            : FINE
  const old = places_of !== null && now - Date.parse(places_of) > PLACES_OLD_MS
  return [
    line('backup', kept, { at: backup_at, detail: backup?.error ?? '' }),
    line('trial', trial?.state === 'failed' ? bad('failed') : done('trial') === undefined ? NEVER : FINE, {
      at: done('trial')?.finished_at?.toISOString() ?? null,
      detail: trial?.error ?? '',
    }),
    line('self_check', books, {
      at: checkedAt?.toISOString() ?? null,
      count: different > 0 ? different : null,
      detail: check?.error ?? '',
    }),
    line('places', old ? warn('old') : FINE, { at: places_of === null ? null : `${places_of}T00:00:00.000Z` }),
  ]
}

function figure({ figures }: StatusFile, name: string): number {
  return Number(figures[name] ?? 0)
}

function figureText({ figures }: StatusFile, name: string): string {
  const value = figures[name] ?? ''
  return typeof value === 'string' ? value : String(value)
}
