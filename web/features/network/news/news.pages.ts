import { call } from '#web/api/call.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './news.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    news: typeof english
  }
}

export const pages: Pages<'news' | 'settingsNews' | 'newsCreate' | 'newsEdit'> = {
  news: {
    page: async () => (await withTexts(import('#web/features/network/news/news-page.tsx'))).NewsPage,
    unread: {
      key: '/api/news/v1/unread',
      count: async (signal) => {
        const { newsApi } = await withinChunkTimeout(() => import('#contract/network/news.ts'))
        return (await call(newsApi.unread, {}, { signal, quiet: true })).rows
      },
    },
  },
  settingsNews: {
    page: async () => (await withTexts(import('#web/features/network/news/news-list.tsx'))).NewsList,
    search: searchOf(
      'newsEdit',
      async () => (await import('#contract/network/news.ts')).newsApi.written,
      ({ id, title }) => ({ label: title, detail: String(id) }),
    ),
  },
  newsCreate: { page: async () => (await withTexts(import('#web/features/network/news/news-form.tsx'))).NewsCreate },
  newsEdit: { page: async () => (await withTexts(import('#web/features/network/news/news-edit.tsx'))).NewsEdit },
}

/** A page, when the texts of news are there too. */
async function withTexts<T>(page: Promise<T>): Promise<T> {
  return (await Promise.all([page, loadLateTexts('news')]))[0]
}
