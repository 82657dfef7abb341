import { IconSettings } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const settingPages: Pages<'settingsGeneral' | 'settingsTrafficback'> = {
  settingsGeneral: {
    page: async () => (await import('#web/features/network/setting/general-settings.tsx')).GeneralSettings,
    icon: IconSettings,
  },
  settingsTrafficback: { page: async () => (await import('#web/features/network/setting/trafficback-settings.tsx')).TrafficbackSettings },
}
