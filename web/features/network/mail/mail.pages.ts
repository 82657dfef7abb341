import type { Pages } from '#web/shell/page.ts'
import type english from './mail.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    mail: typeof english
  }
}

export const pages: Pages<'settingsSmtp'> = {
  settingsSmtp: { page: async () => (await import('#web/features/network/mail/mail-settings.tsx')).MailSettings },
}
