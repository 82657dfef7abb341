import type { FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { AppError, type FieldErrors } from '../errors.ts'
import { log } from '../log.ts'

/** The body of every failure: `errors` maps numeric codes to texts; field errors lie in `data.fields`. */
export function errorEnvelope(code: ErrorCode, fields?: FieldErrors) {
  const { code: number, text } = ERRORS[code]
  return { status: 'error' as const, errors: { [number]: text }, data: fields === undefined ? {} : { fields } }
}

/** Turns whatever was thrown into an answer: the one place that does. What nobody expected becomes 500 with a log line. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toAppError(error)
  if (known === undefined) log.error({ err: error, requestId: request.id, url: request.routeOptions.url }, 'request failed')
  const code = known?.code ?? 'internal'
  if (known?.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter))
  void reply.status(ERRORS[code].status).send(errorEnvelope(code, known?.fields))
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

/** PostgreSQL's refusals that input can cause; named constraints are translated by the feature that knows them. */
function fromDatabase(error: object): AppError | undefined {
  const code = 'code' in error ? error.code : undefined
  if (code === '22003' || code === '22P02' || code === '22021' || code === '22008') return new AppError('bad_request', { cause: error })
  if (code === '40001' || code === '40P01' || code === '55P03') return new AppError('conflict', { cause: error, retryAfter: 1 })
  if (code === 'ECONNREFUSED' || code === '57P01' || code === '57P03') return new AppError('not_ready', { cause: error, retryAfter: 1 })
  return undefined
}
