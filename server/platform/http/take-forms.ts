import type { FastifyInstance } from 'fastify'

/** Lets the routes of a scope take bodies that are forms, up to so many bytes, as texts by the names of their fields: nothing else of the server takes them. */
export function takeForms(scope: Pick<FastifyInstance, 'addContentTypeParser'>, largest: number): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: largest }, (_request, text, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(text)))),
  )
}
