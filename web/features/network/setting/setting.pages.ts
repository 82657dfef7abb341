import type { Pages } from '#web/shell/page.ts'
import type english from './setting.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    setting: typeof english
  }
}

export const pages: Pages<'settingsTrafficback' | 'settingsIncoming' | 'settingsAffiliates' | 'settingsProfile' | 'settingsProfileStaff'> =
  {
    settingsProfile: {
      page: async () => (await import('#web/features/network/setting/own-profile.tsx')).OwnProfile,
    },
    settingsProfileStaff: { page: async () => (await import('#web/features/network/setting/staff-profile.tsx')).StaffProfile },
    settingsIncoming: { page: async () => (await import('#web/features/network/setting/postback-settings.tsx')).PostbackSettings },
    settingsAffiliates: { page: async () => (await import('#web/features/network/setting/affiliates-settings.tsx')).AffiliatesSettings },
    settingsTrafficback: { page: async () => (await import('#web/features/network/setting/trafficback-settings.tsx')).TrafficbackSettings },
  }
