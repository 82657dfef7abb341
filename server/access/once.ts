import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { changesSomething, type Endpoint } from '#contract/endpoint.ts'
import { isPartnerPath } from '#contract/problem.ts'
import { AppError } from '#server/platform/errors.ts'
import { rawBodies } from '#server/platform/http/app.ts'
import type { Db } from '#server/platform/pg/database.ts'

/** A call as its sender named it; `hash` tells it from another under the same name. */
export type NamedCall = { accountId: number; key: string; hash: Buffer }

/** Runs a named call, or answers as it was answered before (`again`). */
export type Once = (now: number, call: NamedCall, run: (db: Db) => Promise<unknown>) => Promise<{ data: unknown; again: boolean }>

/** The name a change was given in `Idempotency-Key`; undefined without one, and of what changes nothing. Throws `bad_request`. */
export function namedCall(request: FastifyRequest, endpoint: Endpoint, accountId: number | undefined): NamedCall | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || accountId === undefined || !isPartnerPath(endpoint.path) || !changesSomething(endpoint)) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new AppError('bad_request', { fields: { 'Idempotency-Key': 'From 1 to 200 letters, digits and signs' } })
  const hash = createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(rawBodies.get(request) ?? '')
    .digest()
  return { accountId, key, hash }
}
