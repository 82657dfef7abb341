import { IconSend } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const postbackPages: Pages<'settingsPostback'> = {
  settingsPostback: {
    page: async () => (await import('#web/features/traffic/postback/own-postbacks.tsx')).OwnPostbacks,
    icon: IconSend,
  },
}
