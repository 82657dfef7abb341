import type { ServerResponse } from 'node:http'
import { log } from '#server/platform/log.ts'
import type { ClickAnswer } from '#server/rules/click.ts'
import { redirectPage, UNAVAILABLE_PAGE } from './pages.ts'

/** A visitor who waits for the row to be on disk, and what to answer then. */
export type WaitingVisitor = { response: ServerResponse; kind: Exclude<ClickAnswer['kind'], 'unknown'>; location: string }

/** Sends a visitor on. */
export function answerVisitor({ response, kind, location }: WaitingVisitor): void {
  if (kind === '302') redirect(response, 302, location)
  else if (kind === '307') redirect(response, 307, location)
  else if (kind === 'page') html(response, UNAVAILABLE_PAGE)
  else if (kind === 'meta') html(response, redirectPage(location, false))
  else html(response, redirectPage(location, true), ['Referrer-Policy', 'no-referrer'])
}

/** Sends on those whose rows are safe; one that fails keeps nobody else waiting. */
export function answerVisitors(visitors: readonly WaitingVisitor[]): void {
  for (const visitor of visitors) {
    try {
      answerVisitor(visitor)
    } catch (error) {
      log.error({ err: error, location: visitor.location }, 'a visitor could not be sent on')
      visitor.response.destroy()
    }
  }
}

/** Goes to `location` (printable ASCII). */
export function redirect(response: ServerResponse, status: 302 | 307, location: string): void {
  // A flat list is written as it stands, without the checks and the map that single headers go through.
  response.writeHead(status, ['Location', location, 'Cache-Control', 'no-store', 'Content-Length', '0'])
  response.end()
}

/** Answers a small JSON text. */
export function json(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Cache-Control',
    'no-store',
    'Content-Length',
    String(Buffer.byteLength(text)),
  ])
  response.end(text)
}

/** The answer to everything that is nothing. */
export function notFound(response: ServerResponse): void {
  response.writeHead(404, ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', '9'])
  response.end('Not found')
}

function html(response: ServerResponse, text: string, more: string[] = []): void {
  const length = String(Buffer.byteLength(text))
  response.writeHead(200, ['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-store', 'Content-Length', length, ...more])
  response.end(text)
}
