import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { can } from '#contract/access.ts'
import { bytes, changesSomething, type Endpoint, type EndpointGroup } from '#contract/endpoint.ts'
import { isPartnerPath } from '#contract/problem.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Config } from '#server/platform/config.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from './actor.ts'
import { rawBodies, type HttpServer } from '#server/platform/http/app.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { GeoChoices } from '#server/platform/geo/choices.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { refuseByKey } from './key-rights.ts'
import { namedCall, type Once } from './once.ts'
import { readInput } from './read-input.ts'

/** The panel's HTTP server with what decides who may call it. */
export type HttpApp = HttpServer & {
  /**
   * Resolves the Bearer token of a request, a session's or an API key; undefined for a guest or one that is no longer valid. `changes`:
   * whether the call may change something, which keys may do so often, beside what they read.
   */
  authenticate(request: FastifyRequest, changes: boolean): Promise<Actor | undefined>
  requireSignature: boolean
  db: Db
  /** Does what a call named once. */
  once: Once
}

/** What the routes of a feature may be made of: each `.routes.ts` exports `routes(app, parts)` and is found by its name. */
export type RouteParts = {
  config: Config
  db: Db
  clickhouse: Clickhouse
  /** The files people upload. */
  store: FileStore
  /** What targeting by place and network can name. */
  geoChoices: GeoChoices
  /** Which foreign addresses may be asked. */
  policy: OutboundPolicy
  /** Of the program. */
  version: string
}

export type HandlerInput<E extends Endpoint> = {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  actor: E['access'] extends 'public' ? Actor | undefined : Actor
  request: FastifyRequest
  reply: FastifyReply
  /** What the call works on: the database, or where its sender named it the transaction that keeps its answer too. */
  db: Db
}
export type Handlers<Group extends EndpointGroup> = {
  [Name in keyof Group]: (input: HandlerInput<Group[Name]>) => Promise<z.input<Group[Name]['response']>>
}

/**
 * Serves a group of endpoints: the only way into the API. For each request, in this order: who is it, may they
 * (401 without a valid token, 403 without the permission, or where their address, their key or acting as somebody keeps them from
 * it), is the signature right, is the input well formed and without
 * fields nobody knows; then the handler; then the response schema strips every field it does not name. An answer of bytes
 * goes out as it is, and what programs of partners call answers without the envelope.
 */
export function implement<Group extends EndpointGroup>(app: HttpApp, group: Group, handlers: Handlers<Group>): void {
  for (const [name, endpoint] of Object.entries(group)) {
    const handler = handlers[name] as (input: HandlerInput<Endpoint>) => Promise<unknown> // the mapped type above ties them
    app.server.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.largest !== undefined && { bodyLimit: endpoint.largest }),
      onRequest: async (request) => {
        const actor = await admit(app, request, endpoint)
        actors.set(request, actor)
      },
      handler: async (request, reply) => {
        const actor = actors.get(request)
        // a program with a key has nothing to sign with
        if (app.requireSignature && actor !== undefined && actor.key === null) {
          checkSignature(request.headers, actor.token, rawBodies.get(request) ?? Buffer.alloc(0), app.clock.now())
        }
        const given = {
          params: parse(endpoint.params, request.params),
          query: parse(endpoint.query, request.query),
          body: parse(endpoint.body, request.body ?? {}),
          actor: actor as Actor, // signed-in endpoints were refused above without one; public handlers see it as optional
          request,
          reply,
        }
        if (isPartnerPath(endpoint.path)) {
          const run = async (db: Db) => endpoint.response.parse(await handler({ ...given, db }))
          const named = namedCall(request, endpoint, actor?.accountId)
          if (named === undefined) return run(app.db)
          const { data, again } = await app.once(app.clock.now(), named, run)
          if (again) reply.header('idempotency-replayed', 'true')
          return data
        }
        const data = await handler({ ...given, db: app.db })
        if (endpoint.response === bytes) return data
        return { status: 'success', data: endpoint.response.parse(data) }
      },
    })
  }
}

/** Who calls, where they may: throws `unauthorized`, `forbidden`, or what else keeps them from it. */
export async function admit(app: HttpApp, request: FastifyRequest, endpoint: Endpoint): Promise<Actor | undefined> {
  const actor = await app.authenticate(request, changesSomething(endpoint))
  if (endpoint.access !== 'public' && actor === undefined) throw new AppError('unauthorized')
  if (!can(actor?.role, endpoint.access)) throw new AppError('forbidden')
  if (actor !== undefined && endpoint.access !== 'public') refuseFor(actor, endpoint)
  return actor
}

/** What is refused to somebody who has the permission: by where they are, what they call with, and how they came in. */
function refuseFor(actor: Actor, endpoint: Endpoint): void {
  if (actor.outside) throw new AppError('address_not_allowed')
  if (actor.key !== null) refuseByKey(actor.key, endpoint)
  if (actor.needsSecondFactor && !endpoint.whileSettingUp) throw new AppError('second_factor_needed')
  const looks = actor.acting !== null && !actor.acting.mayChange
  if (looks && changesSomething(endpoint) && !endpoint.remembers && !endpoint.whileReadOnly) throw new AppError('acting_read_only')
}

const actors = new WeakMap<FastifyRequest, Actor | undefined>()

/** What a schema makes of an input; refuses what does not fit and fields it does not know, each by its path. */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  // bytes where JSON belongs: they could be walked as millions of fields
  if (ArrayBuffer.isView(value) && (schema as z.ZodType) !== bytes) throw new AppError('bad_request')
  const read = readInput(schema, value)
  if ('fields' in read) throw new AppError('bad_request', { fields: read.fields })
  return read.data
}

/** How far the sender's clock may be off, in ms. */
const TOLERANCE = 5 * 60_000

/**
 * Checks `X-Signature = hex(sha256(timestamp + '.' + token + '.' + body))` and `X-Timestamp` (ms since 1970).
 * Throws `bad_signature`. The token is the secret, so a copied request is worth nothing after five minutes.
 */
function checkSignature(headers: IncomingHttpHeaders, token: string, body: Buffer, now: number): void {
  const timestamp = String(headers['x-timestamp'] ?? '')
  const signature = String(headers['x-signature'] ?? '')
  if (!/^\d{13}$/.test(timestamp) || !/^[0-9a-f]{64}$/.test(signature)) throw new AppError('bad_signature')
  if (Math.abs(Number(timestamp) - now) > TOLERANCE) throw new AppError('bad_signature')
  const expected = createHash('sha256').update(`${timestamp}.${token}.`).update(body).digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new AppError('bad_signature')
}
