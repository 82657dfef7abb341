import type { Pages } from '#web/shell/page.ts'

export const clickPages: Pages<'statisticDirectClicks'> = {
  statisticDirectClicks: { page: async () => (await import('#web/features/traffic/click/click-list.tsx')).ClickList },
}
