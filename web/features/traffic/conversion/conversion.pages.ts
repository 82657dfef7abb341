import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './conversion.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    conversion: typeof english
  }
}

const list = async () =>
  (await Promise.all([import('#web/features/traffic/conversion/conversion-list.tsx'), loadLateTexts('click')]))[0].ConversionList
const detail = async () =>
  (await Promise.all([import('#web/features/traffic/conversion/conversion-detail.tsx'), loadLateTexts('click')]))[0].ConversionDetail

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
  // warm and cold are called as in the list of leads
  statisticApiConversion: { page: async () => (await Promise.all([list(), loadLateTexts('userSession')]))[0] },
  statisticApiConversionDetail: { page: detail },
}
