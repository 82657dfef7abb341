import { SCREENS } from '#contract/screens.ts'
import { call } from '#web/api/call.ts'
import { mayBeId, type Pages } from '#web/shell/page.ts'
import type english from './click.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    click: typeof english
  }
}

export const pages: Pages<'statisticDirectClicks'> = {
  statisticDirectClicks: {
    page: async () => (await import('#web/features/traffic/click/click-list.tsx')).ClickList,
    search: {
      opens: 'statisticDirectClicks',
      find: async (uuid, signal) => {
        if (!mayBeId(uuid) || uuid.length < 16 || uuid.length > 64) return []
        const { clickApi } = await import('#contract/traffic/click.ts')
        const found = await call(clickApi.get, { params: { uuid } }, { signal, quiet: true }).catch(() => undefined)
        if (found === undefined) return []
        const at = `${SCREENS.statisticDirectClicks.path}?${new URLSearchParams({ click: uuid })}`
        return [{ uuid, label: uuid, detail: [found.click.offer.label, found.click.geo].filter(Boolean).join(' · '), at }]
      },
    },
  },
}
