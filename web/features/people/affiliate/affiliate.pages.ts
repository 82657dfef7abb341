import { IconUsers } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const affiliatePages: Pages<'affiliates' | 'affiliateCreate' | 'affiliateEdit'> = {
  affiliates: {
    page: async () => (await import('#web/features/people/affiliate/affiliate-list.tsx')).AffiliateList,
    icon: IconUsers,
    search: {
      opens: 'affiliateEdit',
      find: async () => (await import('#web/features/people/affiliate/affiliate-search.ts')).findAffiliates,
    },
  },
  affiliateCreate: { page: async () => (await import('#web/features/people/affiliate/affiliate-create.tsx')).AffiliateCreate },
  affiliateEdit: { page: async () => (await import('#web/features/people/affiliate/affiliate-edit.tsx')).AffiliateEdit },
}
