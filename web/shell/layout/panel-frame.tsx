import { Drawer, MantineThemeProvider } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { ModalsProvider } from '@mantine/modals'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Outlet, useLocation } from 'react-router'
import { authApi } from '#contract/people/auth.ts'
import { preferenceApi } from '#contract/people/preference.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import { LeaveGuard } from '#web/kit/feedback/leave-guard.tsx'
import { UndoToast } from '#web/kit/feedback/undo-toast.tsx'
import { ZoneProvider } from '#web/kit/show/zone.tsx'
import { useRemembered } from '#web/kit/remembered.ts'
import { ChosenFirstDay, setFirstDay } from '#web/first-day.ts'
import { useFactorNeeded } from '#web/shell/factor-needed.ts'
import { rememberPreferences, usePreferences } from '#web/shell/preferences.ts'
import { useSession } from '#web/shell/session.ts'
import { useViewport } from '#web/viewport.ts'
import { Home } from '#web/shell/home.tsx'
import { Sidebar } from '#web/shell/layout/sidebar.tsx'
import { TopBar } from '#web/shell/layout/top-bar.tsx'
import { withinChunkTimeout } from '#web/chunk.ts'
import { PANEL_THEME } from '#web/kit/panel-theme.ts'
import '#web/kit/kit.css'
import classes from '#web/shell/layout/layout.module.css'

const Palette = lazy(async () => ({ default: (await withinChunkTimeout(() => import('#web/shell/layout/palette.tsx'))).Palette }))
const KeysDialog = lazy(async () => ({ default: (await withinChunkTimeout(() => import('#web/shell/layout/keys-dialog.tsx'))).KeysDialog }))

const ActingBand = lazy(async () => {
  const load = () => Promise.all([import('#web/shell/layout/acting-band.tsx'), loadLateTexts('security')])
  return { default: (await withinChunkTimeout(load))[0].ActingBand }
})

const ForcedSetup = lazy(async () => {
  const load = () => Promise.all([import('#web/shell/security/forced-setup.tsx'), loadLateTexts('security')])
  return { default: (await withinChunkTimeout(load))[0].ForcedSetup }
})

/** The panel; for who has yet to set up the second factor that the role must have, nothing but that. */
export function PanelFrame() {
  if (!useFactorNeeded((state) => state.needed)) return <Frame />
  return (
    <MantineThemeProvider theme={PANEL_THEME}>
      <Suspense>
        {/* everything that was refused meanwhile is asked for anew */}
        <ForcedSetup onDone={() => location.reload()} />
      </Suspense>
    </MantineThemeProvider>
  )
}

/** What stands around every screen of the panel: sidebar, top bar, the band while acting as somebody, and the palette. */
function Frame() {
  const { t } = useTranslation('layout')
  const { acting, uuid } = useSession()
  const viewport = useViewport()
  const { data: me } = useQuery({ ...query(authApi.me, {}), staleTime: 60_000 })
  const { data: kept } = useQuery({ ...query(preferenceApi.get, {}, { quiet: true }), staleTime: 60_000 })
  useEffect(() => kept && rememberPreferences(uuid, kept), [kept, uuid])
  const { density, first_day } = usePreferences()
  // before anything below is drawn or asks for a week
  setFirstDay(first_day)
  useEffect(() => {
    document.documentElement.dataset['density'] = density
  }, [density])
  const { partner_settings } = useConstants()
  const [sidebar, setSidebar] = useRemembered('sidebar', isFolded)
  const folded = sidebar === 'folded'
  const { key: place, pathname } = useLocation()
  const [drawerAt, setDrawerAt] = useState<string>()
  const [palette, setPalette] = useState(0)
  const narrow = viewport === 'mobile' || viewport === 'tablet'
  const openPalette = () => setPalette((times) => times + 1)
  useHotkeys([['mod+K', openPalette]], [], true)
  const [keys, setKeys] = useState(false)
  // on some layouts ? needs no Shift
  useHotkeys([
    ['shift+?', () => setKeys(true)],
    ['?', () => setKeys(true)],
  ])

  return (
    <MantineThemeProvider theme={PANEL_THEME}>
      <ChosenFirstDay value={first_day}>
        <ZoneProvider zone={me?.time_zone ?? partner_settings.time_zone}>
          <ModalsProvider>
            <div className={classes.frame}>
              <a className={classes.skip} href="#content">
                {t('skip')}
              </a>
              {acting && (
                <Suspense fallback={<div style={{ flex: 'none', height: 40, background: '#f5b83d' }} />}>
                  <ActingBand acting={me?.acting ?? undefined} />
                </Suspense>
              )}
              <div className={classes.columns}>
                {!narrow && <Sidebar folded={folded} onFold={() => setSidebar(folded ? 'open' : 'folded')} />}
                <div className={classes.main}>
                  <TopBar
                    me={me}
                    onMenu={narrow ? () => setDrawerAt(place) : undefined}
                    onSearch={openPalette}
                    onKeys={() => setKeys(true)}
                  />
                  <main id="content" tabIndex={-1} className={classes.content}>
                    {pathname === '/' ? <Home /> : <Outlet />}
                  </main>
                </div>
              </div>
            </div>
            {narrow && (
              // a navigation changes the place, which closes the drawer
              <Drawer.Root opened={drawerAt === place} onClose={() => setDrawerAt(undefined)} size={232}>
                <Drawer.Overlay />
                <Drawer.Content aria-label={t('navigation')}>
                  <Sidebar folded={false} />
                </Drawer.Content>
              </Drawer.Root>
            )}
            <Suspense>{palette > 0 && <Palette opened={palette} onKeys={() => setKeys(true)} />}</Suspense>
            <Suspense>{keys && <KeysDialog onClose={() => setKeys(false)} />}</Suspense>
            <LeaveGuard />
            <UndoToast />
          </ModalsProvider>
        </ZoneProvider>
      </ChosenFirstDay>
    </MantineThemeProvider>
  )
}

function isFolded(value: unknown): value is 'open' | 'folded' {
  return value === 'open' || value === 'folded'
}
