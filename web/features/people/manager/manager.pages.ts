import { IconUserCog } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const managerPages: Pages<'managers' | 'managerCreate' | 'managerEdit'> = {
  managers: {
    page: async () => (await import('#web/features/people/manager/manager-list.tsx')).ManagerList,
    icon: IconUserCog,
  },
  managerCreate: { page: async () => (await import('#web/features/people/manager/manager-create.tsx')).ManagerCreate },
  managerEdit: { page: async () => (await import('#web/features/people/manager/manager-edit.tsx')).ManagerEdit },
}
