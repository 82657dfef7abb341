import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#server/platform/config.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { run } from '#server/processes/roles/tracker.ts'
import { CLICK_COLUMNS, type ClickColumn } from '#server/rules/click/click-row.ts'
import { INTERNAL_SECRET } from './fake-api.ts'

export type StoredClick = Record<ClickColumn, string>

/** The environment of a tracker on a free port, with `api` as its api. */
export async function trackerEnv(
  dataDir: string,
  api: { url: string } | null,
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    OHMA_MODE: 'test',
    DATA_DIR: dataDir,
    TRACKER_PORT: String(await freePort()),
    INTERNAL_SECRET,
    ...(api === null ? {} : { INTERNAL_URL: api.url }),
    ...more,
  }
}

export type TestTracker = { url: string; dataDir: string; stop(): Promise<void>; rows(): Promise<StoredClick[]>; ready(): Promise<void> }

/** A tracker inside this process, on a data folder of its own that `stop` leaves in place. */
export async function startTracker(api: { url: string } | null, more: Record<string, string> = {}, dataDir?: string): Promise<TestTracker> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'tracker-test-')))
  const { url, stop } = await run(readConfig(await trackerEnv(folder, api, more), 'test'))
  return {
    url,
    dataDir: folder,
    stop,
    rows: () => readClicks(folder),
    async ready() {
      await until(async () => (await fetch(`${url}/readyz`)).status === 200)
    },
  }
}

/** Every whole row in the segments of a data folder, sealed or not. */
export async function readClicks(dataDir: string, tracker = 't1'): Promise<StoredClick[]> {
  const folder = join(dataDir, 'spool', tracker)
  const rows: StoredClick[] = []
  for (const name of (await readdir(folder)).filter((entry) => entry.startsWith(`${tracker}-`)).toSorted()) {
    // A segment may be sealed between the listing and the reading.
    const path = join(folder, name)
    const text = await readFile(path, 'utf8').catch(() => readFile(path.replace(/open$/, 'seg'), 'utf8'))
    const [header, ...lines] = text.slice(0, text.includes('\0') ? text.indexOf('\0') : undefined).split('\n')
    if (header !== `#ohma1\t${CLICK_COLUMNS.join('\t')}`) throw new Error(`${name} has a strange header: ${header}`)
    for (const line of lines.slice(0, -1)) {
      const fields = line.split('\t')
      if (fields.length !== CLICK_COLUMNS.length) throw new Error(`${name} has a strange row: ${line}`)
      rows.push(Object.fromEntries(CLICK_COLUMNS.map((column, index) => [column, fields[index]?.replaceAll('\\\\', '\\')])) as StoredClick) // one field per column
    }
  }
  return rows
}

/** Waits for a condition, asked every few milliseconds. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not so within ${withinMs} ms: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Removes the data folder of a test. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
