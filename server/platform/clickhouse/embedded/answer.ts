import type { ServerResponse } from 'node:http'
import { createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib'
import type { Writable } from 'node:stream'
import { WireError } from './wire.ts'

export type Summary = { readRows: number; readBytes: number; writtenRows: number; writtenBytes: number; seconds: number }

/** Headers every answer carries; the summary is what clients show as statistics. */
export function startAnswer(response: ServerResponse, queryId: string, format: string | null, summary: Summary | null): void {
  response.setHeader('X-ClickHouse-Query-Id', queryId)
  response.setHeader('X-ClickHouse-Timezone', 'UTC')
  response.setHeader('X-ClickHouse-Server-Display-Name', 'ohma')
  if (format !== null) response.setHeader('X-ClickHouse-Format', format)
  response.setHeader('Content-Type', contentType(format))
  if (summary === null) return
  response.setHeader(
    'X-ClickHouse-Summary',
    JSON.stringify({
      read_rows: String(summary.readRows),
      read_bytes: String(summary.readBytes),
      written_rows: String(summary.writtenRows),
      written_bytes: String(summary.writtenBytes),
      total_rows_to_read: '0',
      result_rows: String(summary.writtenRows),
      result_bytes: String(summary.writtenBytes),
      elapsed_ns: String(Math.round(summary.seconds * 1e9)),
    }),
  )
}

/** Where the body goes: the response itself, or a compressor in front of it when the client asked for one. */
export function bodyOf(response: ServerResponse, compress: boolean, acceptEncoding: string | undefined): Writable {
  const encoders = { zstd: createZstdCompress, gzip: createGzip, br: createBrotliCompress, deflate: createDeflate }
  const [name, create] = compress ? (Object.entries(encoders).find(([encoding]) => acceptEncoding?.includes(encoding)) ?? []) : []
  if (name === undefined || create === undefined) return response
  response.setHeader('Content-Encoding', name)
  const encoder = create()
  encoder.pipe(response)
  return encoder
}

/** `Code: 60. DB::Exception: … (UNKNOWN_TABLE)` with the status ClickHouse would give it. */
export function answerError(response: ServerResponse, queryId: string, error: unknown): void {
  if (response.headersSent) {
    // Part of the result is out: the only honest sign left is a broken connection.
    response.destroy()
    return
  }
  const { code, text } = describeError(error)
  startAnswer(response, queryId, null, null)
  response.setHeader('X-ClickHouse-Exception-Code', String(code))
  response.statusCode = STATUS[code] ?? 500
  response.end(`${text}\n`)
}

// Codes clients are told apart by; all others are 500, as ClickHouse does.
const STATUS: Record<number, number> = {
  6: 400,
  26: 400,
  27: 400,
  36: 400,
  38: 400,
  41: 400,
  43: 400,
  46: 404,
  47: 404,
  48: 501,
  57: 400,
  60: 404,
  62: 400,
  72: 400,
  81: 404,
  82: 400,
  115: 404,
  117: 400,
  159: 408,
  202: 503,
  396: 413,
  456: 400,
  516: 401,
}

function describeError(error: unknown): { code: number; text: string } {
  if (error instanceof WireError) return { code: error.code, text: `Code: ${error.code}. DB::Exception: ${error.message}. (${error.type})` }
  const message = error instanceof Error ? error.message : String(error)
  // The engine names the code twice when the error came from a part of the pipeline.
  const text = message.replace(/^(Code: \d+\. DB::Exception: )(?:Code: \d+\. DB::Exception: )+/, '$1')
  const code = Number(/^Code: (\d+)\./.exec(text)?.[1] ?? 1002)
  return { code, text: code === 1002 ? `Code: 1002. DB::Exception: ${text}. (UNKNOWN_EXCEPTION)` : text }
}

function contentType(format: string | null): string {
  if (format === null) return 'text/plain; charset=UTF-8'
  if (format.startsWith('JSON')) return /EachRow/.test(format) ? 'application/x-ndjson; charset=UTF-8' : 'application/json; charset=UTF-8'
  if (format.startsWith('CSV')) return 'text/csv; charset=UTF-8'
  if (format.startsWith('T')) return 'text/tab-separated-values; charset=UTF-8'
  return 'application/octet-stream'
}
