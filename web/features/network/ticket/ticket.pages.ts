import { IconMessages } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'
import type english from './ticket.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    ticket: typeof english
  }
}

export const pages: Pages<'tickets'> = {
  tickets: {
    page: async () => (await import('#web/features/network/ticket/ticket-screen.tsx')).TicketScreen,
    icon: IconMessages,
    waiting: ['tickets'],
  },
}
