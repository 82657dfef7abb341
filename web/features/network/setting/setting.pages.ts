import type { Pages } from '#web/shell/page.ts'

export const settingPages: Pages<'settingsTrafficback'> = {
  settingsTrafficback: { page: async () => (await import('#web/features/network/setting/trafficback-settings.tsx')).TrafficbackSettings },
}
