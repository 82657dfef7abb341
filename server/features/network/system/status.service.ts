import { arch, release, type } from 'node:os'
import type { z } from 'zod'
import type { systemRun, systemStatus } from '#contract/network/system.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { memoryOf } from '#server/platform/process/memory.ts'
import { describeBackups } from './backup.service.ts'
import { judge, worst } from './judge.ts'
import { lookAround, type SystemParts } from './look.service.ts'
import { clickhouseVersion, postgresVersion } from './queue.queries.ts'
import type { LatestRun } from './run.queries.ts'
import { readProcessList } from '#server/platform/process/status-files.ts'

/** The system page: every line with its state, and what stands beneath them. */
export async function readSystem(
  parts: SystemParts & { version: string },
  now: number,
  actor: Actor,
): Promise<z.input<typeof systemStatus>> {
  const [seen, processes, versions] = await Promise.all([lookAround(parts, now), readProcesses(parts.dataDir), readVersions(parts)])
  const lines = judge(seen, now)
  return {
    at: new Date(now).toISOString(),
    state: worst(lines.map(({ state }) => state)),
    lines,
    processes,
    storage: seen.storage,
    versions,
    runs: seen.runs.map(presentRun),
    backups: await describeBackups(seen.backups, now),
    may_back_up: may(actor, 'system.backup'),
  }
}

async function readProcesses(dataDir: string): Promise<z.input<typeof systemStatus>['processes']> {
  const noted = await readProcessList(dataDir)
  const memory = await memoryOf(noted.map(({ pid }) => pid))
  return noted.map(({ name, pid, since, restarts }) => ({
    name,
    pid,
    memory_bytes: memory.get(pid) ?? null,
    started_at: since === undefined ? null : new Date(since).toISOString(),
    restarts: restarts ?? 0,
  }))
}

async function readVersions({
  db,
  clickhouse,
  version,
}: SystemParts & { version: string }): Promise<z.input<typeof systemStatus>['versions']> {
  const [postgresql, statistics] = await Promise.all([postgresVersion(db), clickhouseVersion(clickhouse)])
  return [
    { part: 'ohma', version },
    { part: 'node', version: process.versions.node },
    { part: 'postgresql', version: postgresql },
    { part: 'clickhouse', version: statistics },
    { part: 'system', version: `${type()} ${release()} ${arch()}` },
  ]
}

function presentRun({ id: _id, asked_at, started_at, finished_at, asked_by, ...run }: LatestRun): z.input<typeof systemRun> {
  return {
    ...run,
    asked_by: asked_by ?? '',
    asked_at: asked_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  }
}
