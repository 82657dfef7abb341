import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'

export const pages: Pages<'signup'> = {
  signup: {
    page: async () =>
      (await Promise.all([import('#web/features/people/registration/signup.tsx'), loadLateTexts('registration')]))[0].Signup,
  },
}
