import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat, unlink } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createInflate, createZstdDecompress, createBrotliDecompress } from 'node:zlib'
import type { Wishes } from './connection.ts'

/** A request of ClickHouse's HTTP protocol, read whole. */
export type WireRequest = Wishes & {
  sql: string
  /** The file that holds the body, where the statement came in the URL: the rows of an INSERT. */
  data: string | null
  queryId: string | null
  defaultFormat: string
  compress: boolean
}

/** Something wrong with the request itself, with ClickHouse's own code and type so that clients understand it. */
export class WireError extends Error {
  readonly code: number
  readonly type: string
  constructor(code: number, type: string, message: string) {
    super(message)
    this.name = 'WireError'
    this.code = code
    this.type = type
  }
}

const LARGEST_BODY = 512 * 1024 * 1024
// Words of the protocol; every other parameter is a setting.
const PROTOCOL = new Set([
  'query',
  'database',
  'query_id',
  'user',
  'password',
  'default_format',
  'enable_http_compression',
  'wait_end_of_query',
  'buffer_size',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'quota_key',
  'stacktrace',
  'http_zlib_compression_level',
])
const UNSUPPORTED = new Set(['session_id', 'session_timeout', 'session_check', 'role', 'compress', 'decompress'])

/**
 * Reads statement, rows, database, settings and parameters of a request. Rows go into a new file of the folder
 * `scratch` and never through this process's heap; the caller deletes it. Throws `WireError`.
 */
export async function readRequest(request: IncomingMessage, url: URL, scratch: string): Promise<WireRequest> {
  const data = url.searchParams.get('query')?.trim() && !isForm(request) ? await keepBody(request, scratch) : null
  const body = data === null ? await readBody(request) : Buffer.alloc(0)
  const form = isForm(request) ? multipart(request.headers['content-type'], body) : null
  const fields = [...url.searchParams, ...Object.entries(form ?? {})]
  const given = Object.fromEntries(fields)
  const settings: Record<string, string> = {}
  const params: Record<string, string> = {}
  for (const [name, value] of fields) {
    if (UNSUPPORTED.has(name) && value !== '' && value !== '0')
      throw new WireError(48, 'NOT_IMPLEMENTED', `The embedded server has no ${name}`)
    if (PROTOCOL.has(name) || UNSUPPORTED.has(name)) continue
    if (!/^[a-zA-Z_]\w*$/.test(name)) throw new WireError(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`)
    if (name.startsWith('param_')) params[name.slice('param_'.length)] = value
    else settings[name] = value
  }
  const header = (name: string) => request.headers[name]?.toString()
  const inUrl = given['query'] ?? ''
  const sql = form !== null || inUrl.trim() !== '' ? inUrl : body.toString('utf8')
  if (sql.trim() === '') throw new WireError(62, 'SYNTAX_ERROR', 'Empty query')
  return {
    sql,
    data,
    database: given['database'] || header('x-clickhouse-database') || 'default',
    settings,
    params,
    queryId: given['query_id'] || header('x-clickhouse-query-id') || null,
    defaultFormat: given['default_format'] || header('x-clickhouse-format') || 'TabSeparated',
    compress: given['enable_http_compression'] === '1',
  }
}

function isForm(request: IncomingMessage): boolean {
  return /^multipart\/form-data;/i.test(request.headers['content-type'] ?? '')
}

/** Writes the body to a file; null when there is none. A client that goes away in the middle leaves nothing. */
async function keepBody(request: IncomingMessage, scratch: string): Promise<string | null> {
  const file = join(scratch, `rows-${randomUUID()}`)
  try {
    await pipeline(decoded(request), createWriteStream(file, { mode: 0o600, highWaterMark: 4 * 1024 * 1024 }))
    if ((await stat(file)).size > 0) return file
  } catch (error) {
    await unlink(file).catch(() => {})
    throw error
  }
  await unlink(file)
  return null
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of decoded(request)) {
    size += chunk.length
    if (size > LARGEST_BODY) throw new WireError(396, 'TOO_MANY_BYTES', `A request may hold ${LARGEST_BODY} bytes`)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
}

function decoded(request: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return request
  const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress, zstd: createZstdDecompress }
  const decoder = Object.entries(decoders).find(([name]) => name === encoding)?.[1]
  if (!decoder) throw new WireError(89, 'UNKNOWN_COMPRESSION_METHOD', `Unknown content encoding ${encoding}`)
  return request.pipe(decoder())
}

/** The fields of a multipart form, which clients use when parameters are too long for a URL; null for anything else. */
function multipart(contentType: string | undefined, body: Buffer): Record<string, string> | null {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType ?? '')?.[1]
  if (boundary === undefined) return null
  const fields: Record<string, string> = {}
  for (const part of body.toString('utf8').split(`--${boundary}`)) {
    const end = part.indexOf('\r\n\r\n')
    const name = /name="([^"]*)"/i.exec(part.slice(0, Math.max(end, 0)))?.[1]
    if (name !== undefined) fields[name] = part.slice(end + 4).replace(/\r\n$/, '')
  }
  return fields
}
