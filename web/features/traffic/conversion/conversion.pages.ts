import { SCREENS } from '#contract/screens.ts'
import { call } from '#web/api/call.ts'
import { LIFE } from '#web/conversion-words.ts'
import { mayBeId, type Pages } from '#web/shell/page.ts'
import type english from './conversion.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    conversion: typeof english
  }
}

export const pages: Pages<'statisticDirectConversion' | 'statisticConversionDetail'> = {
  statisticDirectConversion: {
    page: async () => (await import('#web/features/traffic/conversion/conversion-list.tsx')).ConversionList,
    search: {
      opens: 'statisticDirectConversion',
      find: async (search, signal) => {
        if (!mayBeId(search)) return []
        const { conversionApi } = await import('#contract/traffic/conversion.ts')
        const { list } = await call(conversionApi.list, { body: { search, count: 6 } }, { signal, quiet: true })
        return list.map(({ uuid, id, offer, goal }) => ({
          uuid,
          label: String(id),
          detail: [goal?.title, offer.name].filter(Boolean).join(' · '),
          at: `${SCREENS.statisticDirectConversion.path}?${new URLSearchParams({ [LIFE]: uuid })}`,
        }))
      },
    },
  },
  statisticConversionDetail: {
    page: async () => (await import('#web/features/traffic/conversion/conversion-detail.tsx')).ConversionDetail,
  },
}
