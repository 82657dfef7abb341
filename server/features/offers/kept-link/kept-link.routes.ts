import { keptLinkApi } from '#contract/offers/kept-link.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { dropKeptLinks, keepLinks, showKeptLinks } from './kept-link.service.ts'

/** Links that were out before a network moved here. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, keptLinkApi, {
    list: ({ body, actor }) => showKeptLinks(db, actor, body),
    keep: ({ body, actor }) => keepLinks(db, clock.now(), actor, body),
    drop: async ({ body, actor }) => {
      await dropKeptLinks(db, clock.now(), actor, body.codes)
      return {}
    },
  })
}
