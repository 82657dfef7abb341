import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './mail.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    mail: typeof english
  }
}

export const pages: Pages<'settingsSmtp'> = {
  settingsSmtp: {
    page: async () => (await Promise.all([import('#web/features/network/mail/mail-settings.tsx'), loadLateTexts('mail')]))[0].MailSettings,
  },
}
