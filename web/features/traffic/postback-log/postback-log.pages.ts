import { IconArrowsExchange } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const postbackLogPages: Pages<'statisticPostbacks'> = {
  statisticPostbacks: {
    page: async () => (await import('#web/features/traffic/postback-log/postback-log.tsx')).PostbackLog,
    icon: IconArrowsExchange,
  },
}
