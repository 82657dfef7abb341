import { loadLateTexts } from '#web/i18n/language.ts'
import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './cold-rule.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    coldRule: typeof english
  }
}

const texts = () => Promise.all([loadLateTexts('coldRule'), loadLateTexts('userSession')])

export const pages: Pages<'coldRules'> = {
  coldRules: {
    page: async () => (await Promise.all([import('#web/features/leads/cold-rule/cold-rule-list.tsx'), texts()]))[0].ColdRules,
    search: searchOf(
      'coldRules',
      async () => (await import('#contract/leads/cold-rule.ts')).coldRuleApi.list,
      ({ id, title }) => ({ label: title, detail: String(id) }),
    ),
  },
}
