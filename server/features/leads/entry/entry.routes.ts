import type { HttpApp, RouteParts } from '#server/access/implement.ts'
import { openEntry } from './entry.service.ts'

/** What people follow after the form; once it is used up it leads to the page that thanks them. HEAD, as previews of messengers ask, uses nothing up. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  app.server.route<{ Params: { token: string } }>({
    method: 'GET',
    url: '/in/:token',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { token } = request.params
      const visitor = { address: request.ip, agent: request.headers['user-agent'] ?? '' }
      const target = /^[\w-]{43}$/.test(token)
        ? await openEntry({ db, secretKey: config.secretKey }, token, app.clock.now(), visitor)
        : null
      reply.header('referrer-policy', 'no-referrer')
      if (target !== null) return reply.redirect(target, 302)
      return reply.code(410).type('text/plain; charset=utf-8').send('This link was used already, or is over.')
    },
  })
}
