import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './ticket.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    ticket: typeof english
  }
}

export const pages: Pages<'tickets'> = {
  tickets: {
    page: async () =>
      (await Promise.all([import('#web/features/network/ticket/ticket-screen.tsx'), loadLateTexts('ticket')]))[0].TicketScreen,
    waiting: ['tickets'],
    unread: {
      key: '/api/ticket/v1/unread',
      count: async (signal) => (await withinChunkTimeout(() => import('#web/features/network/ticket/count-unread.ts'))).countUnread(signal),
    },
  },
}
