import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { isPartnerPath, PARTNER_DOCS, type Problem } from '#contract/problem.ts'
import { AppError, errorText, type FieldErrors } from '../errors.ts'
import { log } from '../log.ts'
import { isAway } from '../pg/away.ts'

type Told = { fields?: FieldErrors | undefined; values?: Readonly<Record<string, string>> | undefined }

/** The body of every failure: `errors` maps numeric codes to texts; field errors lie in `data.fields`, what their texts name in `data.values`. */
export function errorEnvelope(code: ErrorCode, { fields, values }: Told = {}) {
  const data = { ...(fields !== undefined && { fields }), ...(values !== undefined && { values }) }
  return { status: 'error' as const, errors: { [ERRORS[code].code]: errorText(code, values) }, data }
}

/** Answers a failure: in the panel's envelope, or to a partner's program as a problem of RFC 9457. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, code: ErrorCode, told: Told = {}): FastifyReply {
  void reply.status(ERRORS[code].status)
  if (!isPartnerPath(request.url)) return reply.send(errorEnvelope(code, told))
  return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problemOf(code, told, request.id)))
}

function problemOf(code: ErrorCode, { fields, values }: Told, requestId: string): Problem {
  const words = code.replaceAll('_', ' ')
  return {
    type: `${PARTNER_DOCS}#${code}`,
    title: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    status: ERRORS[code].status,
    detail: errorText(code, values),
    code,
    ...(fields !== undefined && { errors: fields }),
    request_id: requestId,
  }
}

/** Turns whatever was thrown into an answer: the one place that does. What nobody expected becomes 500 with a log line. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toAppError(error)
  if (known === undefined || known.code === 'disk_full')
    log.error({ err: error, requestId: request.id, url: request.routeOptions.url }, 'request failed')
  const code = known?.code ?? 'internal'
  if (known?.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter))
  sendFailure(request, reply, code, known)
}

/** Answers bytes that never became a request: no HTTP, headers that are too long, a sender who takes too long. */
export function answerNoHttp(error: NodeJS.ErrnoException, socket: Socket, headers: Readonly<Record<string, string>>): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const status = tooLong ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const body = JSON.stringify(errorEnvelope(tooLong ? 'payload_too_large' : 'bad_request'))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Content-Type: application/json; charset=utf-8\r\nConnection: close\r\n`
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (typeof error !== 'object' || error === null) return undefined
  // Fastify's own errors (body too large, unknown media type, broken JSON) carry a status
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return new AppError('payload_too_large')
  if (status === 415) return new AppError('unsupported_media')
  if (status === 503) return new AppError('not_ready')
  if (typeof status === 'number' && status >= 400 && status < 500) return new AppError('bad_request')
  return fromDatabase(error)
}

/** Numbers and dates out of range, texts that are no date, zone, number or valid text. */
const UNSTORABLE = new Set(['22003', '22007', '22008', '22009', '22021', '22P02', '22P05'])

/** PostgreSQL's refusals that input can cause; named constraints are translated by the feature that knows them. */
function fromDatabase(error: object): AppError | undefined {
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string' && UNSTORABLE.has(code)) return new AppError('bad_request', { cause: error })
  // sums beyond what is stored, of amounts of which each was small enough
  if (code === '23514' && 'constraint' in error && String(error.constraint).endsWith('_exact'))
    return new AppError('bad_request', { cause: error })
  if (code === '40001' || code === '40P01' || code === '55P03') return new AppError('conflict', { cause: error, retryAfter: 1 })
  // PostgreSQL's own, and those of files
  if (code === '53100' || code === 'ENOSPC' || code === 'EDQUOT') return new AppError('disk_full', { cause: error })
  if (isAway(error)) return new AppError('not_ready', { cause: error, retryAfter: 1 })
  return undefined
}
