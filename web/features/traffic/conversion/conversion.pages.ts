import type { Pages } from '#web/shell/page.ts'
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
      find: async (text, signal) => (await import('#web/features/traffic/conversion/find-conversion.ts')).findConversions(text, signal),
    },
  },
  statisticConversionDetail: {
    page: async () => (await import('#web/features/traffic/conversion/conversion-detail.tsx')).ConversionDetail,
  },
}
