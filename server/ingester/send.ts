import { mkdir, rename, unlink, writeFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClickHouseError } from '@clickhouse/client'
import type { Logger } from 'pino'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { insertTextOnce } from '#server/platform/clickhouse/insert-once.ts'
import { sortOutBadRows } from './bad-rows.ts'
import { sync } from './folder.ts'
import { countRows, readSegment } from './segment.ts'

export type Sent = { rows: number; quarantinedRows: number }

export type SendContext = { db: Clickhouse; folder: string; quarantine: string; tracker: string; log: Logger; signal: AbortSignal }

/**
 * Inserts one sealed segment exactly once and deletes it. Rejects when the engine is away or unwell: then the same
 * segment has to be sent again before any newer one of its tracker. Rows the engine cannot read go to the quarantine.
 */
export async function sendSegment(context: SendContext, id: string): Promise<Sent> {
  const path = join(context.folder, `${id}.seg`)
  const segment = readSegment(await readFile(path))
  if (segment === null) return setAside(context, id)
  const { columns, rows } = segment
  const insert = (part: Buffer, token: string, table = 'click_inlet') =>
    insertTextOnce(context.db, { table, columns, rows: part, token, signal: context.signal })
  let sent: Sent = { rows: countRows(rows), quarantinedRows: 0 }
  try {
    if (rows.length > 0) await insert(rows, id)
  } catch (error) {
    if (!isAboutRows(error)) throw error
    sent = await sendReadable(context, id, columns, rows, insert)
  }
  // Should the deletion not survive a power cut, the token recognises the segment.
  await unlink(path)
  return sent
}

// ClickHouse's codes for rows it cannot read. Everything else is about the engine and passes with time.
const ROW_MISTAKES = new Set([
  '6',
  '25',
  '26',
  '27',
  '33',
  '38',
  '41',
  '69',
  '70',
  '72',
  '117',
  '131',
  '321',
  '441',
  '467',
  '675',
  '676',
  '677',
])

function isAboutRows(error: unknown): error is ClickHouseError {
  return error instanceof ClickHouseError && ROW_MISTAKES.has(error.code)
}

/** The slow way: finds the bad rows with a table that stores nothing, keeps them in a file, and inserts the others. */
async function sendReadable(
  context: SendContext,
  id: string,
  columns: string[],
  rows: Buffer,
  insert: (part: Buffer, token: string, table?: string) => Promise<void>,
): Promise<Sent> {
  const check = `click_check_${context.tracker.replace(/\W/g, '_')}`
  await context.db.command({ query: `CREATE OR REPLACE TABLE ${check} AS click ENGINE = Null` })
  let mistake = ''
  const { good, bad, badCount } = await sortOutBadRows(rows, async (part) => {
    try {
      await insert(part, '', check)
      return true
    } catch (error) {
      if (!isAboutRows(error)) throw error
      mistake = error.message.slice(0, 300)
      return false
    }
  })
  await context.db.command({ query: `DROP TABLE IF EXISTS ${check}` })
  await keep(context, `${id}.seg`, Buffer.concat([Buffer.from(`#ohma1\t${columns.join('\t')}\n`), bad]))
  // A token of its own: the original one belongs to an insert of other bytes.
  if (good.length > 0) await insert(good, `${id}-q1`)
  context.log.error({ segment: id, rows: badCount, mistake, folder: context.quarantine }, 'clicks that cannot be read were set aside')
  return { rows: countRows(good), quarantinedRows: badCount }
}

async function keep(context: SendContext, name: string, bytes: Buffer): Promise<void> {
  await mkdir(context.quarantine, { recursive: true, mode: 0o700 })
  await writeFile(join(context.quarantine, name), bytes, { mode: 0o600, flush: true })
  await sync(context.quarantine)
}

async function setAside(context: SendContext, id: string): Promise<Sent> {
  const path = join(context.folder, `${id}.seg`)
  const rows = countRows(await readFile(path))
  await mkdir(context.quarantine, { recursive: true, mode: 0o700 })
  await rename(path, join(context.quarantine, `${id}.seg`))
  await sync(context.quarantine)
  context.log.error({ segment: id, rows, folder: context.quarantine }, 'a segment without a readable header was set aside')
  return { rows: 0, quarantinedRows: rows }
}
