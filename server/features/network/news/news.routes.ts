import { newsApi } from '#contract/network/news.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { keptTexts, textIn } from './news-text.ts'
import { presentArticle, presentCard, presentDetail, presentWritten } from './news.present.ts'
import { countReach, getWritten, listWritten } from './news.queries.ts'
import { changeNewsStatus, createNews, duplicateNews, updateNewsOf } from './news.service.ts'
import { countUnreadNews, getNews, listNews, readNews, readTold } from './reader.queries.ts'
import { undoNewsStatus } from './undo.service.ts'

/** News: for those they are for, and for those who write them. Staff who act as an affiliate read its news without marking them. */
export function routes(app: HttpApp, { db, store }: RouteParts): void {
  const { clock } = app

  const detail = async (key: string) => {
    const row = await getWritten(db, clock.now(), key)
    if (row === undefined) throw new AppError('not_found')
    return presentDetail(row, await countReach(db, row))
  }

  implement(app, newsApi, {
    list: async ({ body, actor }) => {
      const { rows, list } = await listNews(db, clock.now(), actor.accountId, body)
      return { list: list.map((row) => presentCard(row, actor.language)), summary: { rows } }
    },

    get: async ({ params, actor }) => {
      const row = await getNews(db, clock.now(), actor.accountId, params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return presentArticle(row, actor.language)
    },

    unread: async ({ actor }) => ({ rows: await countUnreadNews(db, clock.now(), actor.accountId) }),

    read: async ({ params, actor }) => {
      const now = clock.now()
      if ((await getNews(db, now, actor.accountId, params.uuid)) === undefined) throw new AppError('not_found')
      if (actor.acting !== null) return {}
      await readNews(db, now, actor.accountId, params)
      await readTold(db, now, actor.accountId)
      return {}
    },

    readAll: async ({ body, actor }) => {
      if (actor.acting !== null) return { changed: 0 }
      const changed = await readNews(db, clock.now(), actor.accountId, { until: new Date(body.until) })
      await readTold(db, clock.now(), actor.accountId)
      return { changed }
    },

    written: async ({ body }) => {
      const { rows, list } = await listWritten(db, clock.now(), body)
      return { list: list.map(presentWritten), summary: { rows } }
    },

    form: ({ params }) => detail(params.uuid),

    create: async ({ body, actor }) => detail(await createNews(db, clock.now(), actor, body)),

    update: async ({ params, body, actor }) => {
      await updateNewsOf(db, clock.now(), actor, params.uuid, body)
      return detail(params.uuid)
    },

    preview: async ({ body }) => {
      const { title, text } = textIn(keptTexts(body.texts), body.language)
      return { title, text, reach: await countReach(db, body) }
    },

    duplicate: ({ params, actor }) => duplicateNews({ db, store }, clock.now(), actor, params.uuid),

    setStatus: async ({ body, actor }) => ({ changed: await changeNewsStatus(db, clock.now(), actor, body) }),

    undo: async ({ body, actor }) => ({ changed: await undoNewsStatus(db, clock.now(), actor, body) }),
  })
}
