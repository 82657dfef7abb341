import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import helmet from 'helmet'
import { LARGEST_FILE } from '#contract/network/file.ts'
import { CONSTANTS_VERSION_HEADER } from '#contract/network/constant.ts'
import type { Clock } from '../clock.ts'
import { answerError, answerNoHttp } from './answer-error.ts'

export type HttpServer = { server: FastifyInstance; clock: Clock }

/** The raw body of a request, kept for the signature check; empty for GET. */
export const rawBodies = new WeakMap<FastifyRequest, Buffer>()

const REQUEST_ID = /^[\w.:-]{1,100}$/

/**
 * Makes the HTTP server of the panel and its API: strict headers, one error answer, raw bodies, request ids.
 * `trustProxy` lists the networks whose X-Forwarded-For is believed; `constantsVersion` is sent with every answer.
 */
export async function createServer(options: {
  trustProxy: string[]
  https: boolean
  errorReportingOrigin: string | null
  clock: Clock
  constantsVersion: () => string
}): Promise<HttpServer> {
  // made once: the plugin of Fastify makes all of it anew for every request
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // the component kit writes style attributes (see docs/adr)
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: options.errorReportingOrigin === null ? ["'self'"] : ["'self'", options.errorReportingOrigin],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: options.https ? { maxAge: 31_536_000 } : false,
    // browsers heed these two over https only, and complain about them otherwise
    crossOriginOpenerPolicy: options.https,
    originAgentCluster: options.https,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  })
  /** What every answer says of itself, whoever makes it. */
  const label = (id: string) => ({
    'x-request-id': id,
    'cache-control': 'no-store',
    [CONSTANTS_VERSION_HEADER]: options.constantsVersion(),
  })
  const strict = headersBy(protect)
  const server = Fastify({
    logger: false,
    trustProxy: options.trustProxy.length > 0 ? options.trustProxy : false,
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 300 },
    requestTimeout: 60_000,
    // a caller may name its call; what could not stand in a header or a log gets one of ours
    genReqId: ({ headers }) => REQUEST_ID.exec(String(headers['x-request-id'] ?? ''))?.[0] ?? randomUUID(),
    return503OnClosing: true,
    // neither comes by the hooks
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...strict, ...label(request.id) })
      answerError(error, request, reply)
    },
    clientErrorHandler: (error, socket) => answerNoHttp(error, socket, { ...strict, ...label(randomUUID()) }),
  })
  server.addHook('onRequest', (request, reply, done) => protect(request.raw, reply.raw, () => done()))
  await server.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // one step above the plugin's own 4: a tenth less to send for a millisecond more on the longest answers
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
  })

  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    rawBodies.set(request, body)
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, JSON.parse(body.toString('utf8')))
    } catch {
      done(Object.assign(new Error('broken JSON'), { statusCode: 400 }))
    }
  })
  server.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit: LARGEST_FILE }, (request, body: Buffer, done) => {
    rawBodies.set(request, body)
    done(null, body)
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(label(request.id))
  })
  server.setErrorHandler(answerError)
  return { server, clock: options.clock }
}

/** The headers a protection sets, for answers that are none of node’s. */
function headersBy(protect: ReturnType<typeof helmet>): Record<string, string> {
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  protect(answer.req, answer, () => undefined)
  return Object.fromEntries(Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]))
}
