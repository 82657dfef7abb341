import type { Pages } from '#web/shell/page.ts'
import type english from './manager.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    manager: typeof english
  }
}

export const pages: Pages<'managers' | 'managerCreate'> = {
  managers: {
    page: async () => (await import('#web/features/people/manager/manager-list.tsx')).ManagerList,
  },
  managerCreate: { page: async () => (await import('#web/features/people/manager/manager-form.tsx')).ManagerCreate },
}
