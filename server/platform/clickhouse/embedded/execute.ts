import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Engine } from './engine.ts'
import { holdsStaleParameter, tuneConnection, type Connection } from './connection.ts'
import { describeStatement, insertFromFile, rowsInStatement, type Statement } from './statement.ts'
import type { Summary } from './answer.ts'
import type { WireRequest } from './wire.ts'

export type Execution = {
  engine: Engine
  request: WireRequest
  limits: Limits
  scratch: string
  /** Fires when the client goes away. */
  signal: AbortSignal
  /** Called once, before the first byte: the summary is null when the result is sent while it is computed. */
  start: (format: string, summary: Summary | null) => Writable
}

export type Limits = { seconds: number; longestSeconds: number; memory: number; resultBytes: number }

/** Runs one statement on a connection of its own and writes its result. Rejects with the engine's error. */
export async function execute(execution: Execution): Promise<void> {
  const { engine, request, signal } = execution
  const statement = describeStatement(request.sql)
  const mark = randomUUID()
  const settings = {
    ...request.settings,
    ...(statement.pool === 'insert' ? {} : { ...limited(request, statement, execution.limits), log_comment: mark }),
  }
  const wishes = { database: request.database, params: request.params, settings }
  const pool = engine.pools[request.data === null ? statement.pool : 'insert']
  await pool.run(signal, async (connection) => {
    // An insert is not killed: a client that is gone will send the same rows again, and the token sorts it out.
    const kill = statement.pool === 'insert' ? () => {} : () => void engine.kill(mark).catch(() => {})
    signal.addEventListener('abort', kill, { once: true })
    try {
      if (holdsStaleParameter(connection, request.sql, wishes)) pool.renew(connection)
      const tune = tuneConnection(connection, wishes)
      const inline = request.data === null ? rowsInStatement(request.sql) : null
      if (inline !== null) await insert({ ...execution, request: { ...request, sql: inline.sql } }, connection, tune, { text: inline.rows })
      else if (request.data !== null) await insert(execution, connection, tune, { file: request.data })
      else if (statement.streams) await stream(execution, connection, tune, statement.format ?? request.defaultFormat)
      else await runWhole(execution, connection, tune, statement)
      if (statement.leavesState) connection.spoiled = true
    } catch (error) {
      // Nobody knows how much of the settings was applied.
      connection.spoiled = true
      throw error
    } finally {
      signal.removeEventListener('abort', kill)
    }
  })
}

/** The limits of a read: what the caller asks for, within what the server allows. */
function limited(request: WireRequest, statement: Statement, limits: Limits): Record<string, string> {
  const asked = (name: string, fallback: number, most: number) => {
    const value = Number(request.settings[name] ?? 0)
    return String(value > 0 ? Math.min(value, most) : fallback)
  }
  if (statement.pool === 'work') return { max_execution_time: asked('max_execution_time', limits.longestSeconds, limits.longestSeconds) }
  return {
    max_execution_time: asked('max_execution_time', limits.seconds, limits.longestSeconds),
    max_memory_usage: asked('max_memory_usage', limits.memory, limits.memory),
    // What is not streamed is held in memory whole.
    ...(statement.streams
      ? {}
      : { max_result_bytes: asked('max_result_bytes', limits.resultBytes, limits.resultBytes), result_overflow_mode: 'throw' }),
  }
}

async function runWhole({ request, start }: Execution, connection: Connection, tune: string, statement: Statement): Promise<void> {
  const format = statement.format ?? request.defaultFormat
  // Rows written inline after an INSERT reach to the end of the text, so that nothing may stand before it.
  const together = statement.pool === 'read' && tune !== ''
  if (!together && tune !== '') await connection.session.queryAsync(tune)
  const result = await connection.session.queryAsync(together ? `${tune}; ${request.sql}` : request.sql, { format })
  start(format, { readRows: result.rowsRead, readBytes: result.bytesRead, writtenRows: 0, writtenBytes: 0, seconds: result.elapsed }).end(
    result.bytes(),
  )
}

const HELD_BACK = 1024 * 1024
const PATIENCE_MS = 120_000

/** Sends chunks as they come. The first megabyte is held back, so that an early error is still told in words. */
async function stream({ request, signal, start }: Execution, connection: Connection, tune: string, format: string): Promise<void> {
  if (tune !== '') await connection.session.queryAsync(tune)
  const chunks = connection.session.queryStream(request.sql, { format, signal })
  let held: Uint8Array[] = []
  let size = 0
  let sink: Writable | null = null
  for await (const chunk of chunks) {
    if (sink === null) {
      held.push(chunk.raw())
      size += chunk.numBytes
      if (size < HELD_BACK) continue
    }
    const bytes = sink === null ? Buffer.concat(held) : chunk.raw()
    held = []
    sink ??= start(format, null)
    if (!sink.write(bytes)) await once(sink, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) })
  }
  if (sink === null) start(format, null).end(Buffer.concat(held))
  else sink.end()
}

/**
 * An INSERT whose rows came in the body or in the text. They go through a file: read from the statement itself, rows
 * are first gone through as if they were SQL, which costs as much as storing them and ends at a blank line.
 */
async function insert({ request, scratch, start }: Execution, connection: Connection, tune: string, rows: Rows): Promise<void> {
  if (tune !== '') await connection.session.queryAsync(tune)
  const file = rows.file ?? join(scratch, `rows-${randomUUID()}`)
  try {
    if (rows.file === undefined) await writeFile(file, rows.text, { mode: 0o600 })
    const statement = insertFromFile(request.sql, file) ?? `${request.sql}\n${await readFile(file, 'utf8')}`
    const { rowsRead, bytesRead, elapsed } = await connection.session.queryAsync(statement)
    start(request.defaultFormat, {
      readRows: rowsRead,
      readBytes: bytesRead,
      writtenRows: rowsRead,
      writtenBytes: bytesRead,
      seconds: elapsed,
    }).end()
  } finally {
    await unlink(file).catch(() => {})
  }
}

type Rows = { file: string } | { file?: undefined; text: string }
