import { SCREEN_IDS, screenOf, type ScreenId } from '#contract/screens.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import type { Page, Pages } from '#web/shell/page.ts'

const FEATURES = import.meta.glob<Partial<Pages<ScreenId>>>('./features/*/*/*.pages.ts', { eager: true, import: 'pages' })

const MONEY = ['invoiceCreate', 'invoiceEdit', 'invoiceDelete', 'invoiceDetail', 'payments'] as const

const BILLING: Page = {
  page: async () => (await import('#web/money-screens.ts')).moneyScreen('billing'),
  search: {
    opens: 'invoiceDetail',
    find: async (text, signal) => (await import('#web/find-invoices.ts')).findInvoices(text, signal),
  },
  // the same tasks its tabs count, each where it is decided
  waiting: ['money', 'referrals'],
}

const FOUND: Partial<Pages<ScreenId>> = Object.assign(
  {
    dashboard: { page: async () => (await import('#web/dashboard-screen.tsx')).DashboardScreen },
    settingsGeneral: {
      page: async () =>
        (await Promise.all([import('#web/general-screen.tsx'), loadLateTexts('currency'), loadLateTexts('recold')]))[0].GeneralScreen,
    },
    ...Object.fromEntries(MONEY.map((id) => [id, { page: async () => (await import('#web/money-screens.ts')).moneyScreen(id) }])),
    billing: BILLING,
    affiliateEdit: {
      page: async () =>
        (
          await Promise.all([
            import('#web/affiliate-screen.tsx'),
            loadLateTexts('application'),
            loadLateTexts('offer'),
            loadLateTexts('postback'),
            loadLateTexts('postbackMessage'),
          ])
        )[0].AffiliateScreen,
    },
    advertiserEdit: {
      page: async () =>
        (await Promise.all([import('#web/advertiser-screen.tsx'), loadLateTexts('offer'), loadLateTexts('advertiser')]))[0]
          .AdvertiserScreen,
    },
    managerEdit: { page: async () => (await Promise.all([import('#web/manager-screen.tsx'), loadLateTexts('offer')]))[0].ManagerScreen },
  },
  ...Object.values(FEATURES),
)

/** What stands behind the screens of the panel, as the `<feature>.pages.ts` there are say. A test proves that none but those that only lead on is without. */
export const PAGES: Partial<Pages<ScreenId>> = Object.fromEntries(
  SCREEN_IDS.flatMap((id) => {
    const found = FOUND[id]
    return found === undefined ? [] : [[id, screenOf(id).path.startsWith('/settings/') ? besideOthers(found) : found]]
  }),
)

/** Every settings page names the other ones beside it, in texts that come with the first of them. */
function besideOthers(found: Page): Page {
  return { ...found, page: async () => (await Promise.all([found.page(), loadLateTexts('setting')]))[0] }
}
