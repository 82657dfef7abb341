import { loadAuditTexts } from '#web/features/people/audit/load-texts.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './audit.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    audit: typeof english
  }
}

export const pages: Pages<'settingsPersonal'> = {
  settingsPersonal: {
    page: async () => (await Promise.all([import('#web/features/people/audit/audit-list.tsx'), loadAuditTexts()]))[0].AuditList,
  },
}
