import type { Pages } from '#web/shell/page.ts'
import type english from './security.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    security: typeof english
  }
}

export const pages: Pages<'settingsSecurity' | 'settingsSecurityOwn'> = {
  settingsSecurity: { page: async () => (await import('#web/features/people/security/security-settings.tsx')).SecuritySettings },
  settingsSecurityOwn: { page: async () => (await import('#web/features/people/security/own-security.tsx')).OwnSecurity },
}
