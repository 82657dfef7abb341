import type { ServerResponse } from 'node:http'
import { log } from '#server/platform/log.ts'
import type { ClickAnswer } from '#server/rules/click/click.ts'

/** Whoever waits for an answer: a response of node:http or a connection of the fast lane. */
export type Visitor = {
  /** Goes to `location` (printable ASCII). */
  redirect(status: 302 | 307, location: string): void
  /** Any other answer; `headers` is a flat list without Content-Length. */
  answer(status: number, headers: readonly string[], body: string): void
  destroy(): void
}

/** A visitor who waits for the row to be on disk, and what to answer then. */
export type WaitingVisitor = { visitor: Visitor; kind: Exclude<ClickAnswer['kind'], 'unknown'>; location: string }

/** Sends a visitor on. */
export function answerVisitor({ visitor, kind, location }: WaitingVisitor): void {
  if (kind === '302') visitor.redirect(302, location)
  else if (kind === '307') visitor.redirect(307, location)
  else if (kind === 'page') html(visitor, UNAVAILABLE_PAGE)
  else if (kind === 'meta') html(visitor, redirectPage(location, false))
  else html(visitor, redirectPage(location, true), ['Referrer-Policy', 'no-referrer'])
}

/** Sends on those whose rows are safe; one that fails keeps nobody else waiting. */
export function answerVisitors(visitors: readonly WaitingVisitor[]): void {
  for (const waiting of visitors) {
    try {
      answerVisitor(waiting)
    } catch (error) {
      log.error({ err: error, location: waiting.location }, 'a visitor could not be sent on')
      waiting.visitor.destroy()
    }
  }
}

/** The visitor behind a response of node:http. */
export function visitorOf(response: ServerResponse): Visitor {
  return {
    redirect(status, location) {
      // A flat list is written as it stands, without the checks and the map that single headers go through.
      response.writeHead(status, ['Location', location, 'Cache-Control', 'no-store', 'Content-Length', '0'])
      response.end()
    },
    answer(status, headers, body) {
      response.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(body))])
      response.end(body)
    },
    destroy: () => void response.destroy(),
  }
}

/** Answers a small JSON text. */
export function json(visitor: Visitor, status: number, text: string): void {
  visitor.answer(status, ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'], text)
}

/** The answer to everything that is nothing. */
export function notFound(visitor: Visitor): void {
  visitor.answer(404, ['Content-Type', 'text/plain; charset=utf-8'], 'Not found')
}

function html(visitor: Visitor, text: string, more: readonly string[] = []): void {
  visitor.answer(200, ['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-store', ...more], text)
}

/** The page of a refused click that has nowhere to go: neutral, because the visitor does not know the network. */
const UNAVAILABLE_PAGE = page('', '<p>This offer is not available.</p>')

/** A page that goes on to `url` (printable ASCII without quotes and angle brackets, see headerSafe), hiding where from if asked to. */
function redirectPage(url: string, hideReferrer: boolean): string {
  const safe = url.replaceAll('&', '&amp;').replaceAll("'", '&#39;')
  const referrer = hideReferrer ? '<meta name="referrer" content="no-referrer">' : ''
  return page(`${referrer}<meta http-equiv="refresh" content="0;url=${safe}">`, `<p><a href="${safe}">Continue</a></p>`)
}

function page(head: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>&#8203;</title></head><body>${body}</body></html>`
}
