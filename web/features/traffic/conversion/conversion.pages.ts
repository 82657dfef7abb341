import type { Pages } from '#web/shell/page.ts'
import type english from './conversion.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    conversion: typeof english
  }
}

const list = async () => (await import('#web/features/traffic/conversion/conversion-list.tsx')).ConversionList
const detail = async () => (await import('#web/features/traffic/conversion/conversion-detail.tsx')).ConversionDetail

export const pages: Pages<
  'statisticDirectConversion' | 'statisticConversionDetail' | 'statisticApiConversion' | 'statisticApiConversionDetail'
> = {
  statisticDirectConversion: {
    page: list,
    search: {
      opens: 'statisticDirectConversion',
      find: async (text, signal) => (await import('#web/features/traffic/conversion/find-conversion.ts')).findConversions(text, signal),
    },
  },
  statisticConversionDetail: { page: detail },
  statisticApiConversion: { page: list },
  statisticApiConversionDetail: { page: detail },
}
