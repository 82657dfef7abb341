import type { Pages } from '#web/shell/page.ts'

export const conversionPages: Pages<'statisticDirectConversion' | 'statisticConversionDetail'> = {
  statisticDirectConversion: { page: async () => (await import('#web/features/traffic/conversion/conversion-list.tsx')).ConversionList },
  statisticConversionDetail: {
    page: async () => (await import('#web/features/traffic/conversion/conversion-detail.tsx')).ConversionDetail,
  },
}
