import { loadLateTexts } from '#web/i18n/language.ts'
import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './lead-list.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    leadList: typeof english
  }
}

const texts = () => Promise.all([loadLateTexts('leadList'), loadLateTexts('userSession')])
const adding = async () => (await Promise.all([import('#web/lead-list-add-screen.tsx'), texts(), loadLateTexts('click')]))[0]
const details = async () => (await Promise.all([import('#web/features/leads/lead-list/lead-list-details.tsx'), texts()]))[0]

export const pages: Pages<'leadLists' | 'leadListAddSession' | 'leadListAddConversion' | 'leadListSession' | 'leadListConversion'> = {
  leadLists: {
    page: async () => (await Promise.all([import('#web/features/leads/lead-list/lead-list-list.tsx'), texts()]))[0].LeadLists,
    search: searchOf(
      'leadListSession',
      async () => (await import('#contract/leads/lead-list.ts')).leadListApi.options,
      ({ id, name }) => ({ label: name, detail: String(id) }),
    ),
  },
  leadListAddSession: { page: async () => (await adding()).LeadListAdd },
  leadListAddConversion: { page: async () => (await adding()).LeadListAdd },
  leadListSession: { page: async () => (await details()).LeadListItems },
  leadListConversion: { page: async () => (await details()).LeadListItems },
}
