import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.layer.css'
import './theme/theme.css'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { runtimeApi } from '#contract/network/runtime.ts'
import { call, connect } from './api/call.ts'
import { queryClient } from './api/query.ts'
import { rememberSigning } from './api/signature.ts'
import { guestConstantsQuery, loadConstants, noteConstantsVersion } from './api/constants.ts'
import { App } from './app.tsx'
import { errorText, offerLanguages, startLanguage } from './i18n/language.ts'
import { leadsToLogin, loadPanel, routesFor } from './router.tsx'
import { notify } from './notify.ts'
import { startReporter } from './shell/failure/reporter.ts'
import { useFactorNeeded } from './shell/factor-needed.ts'
import { apiOrigin, setRuntime, type Runtime } from './shell/runtime.ts'
import { currentSession, dropSession, followOtherTabs, onRoleChange, restoreSession, type Session } from './shell/session.ts'
import { showStartFailure } from './shell/failure/start-failure.ts'
import { watchWindowErrors } from './shell/failure/window-errors.ts'

/** Answers start.js asked for, by their path and the authorization they were asked with; undefined where there was none. */
const early = (window as { ohmaEarly?: Record<string, Promise<Response | undefined> | undefined> }).ohmaEarly ?? {} // start.js writes it

connect({
  fetch: async (input, init) => (input instanceof URL && (await earlyAnswer(input, init))) || fetch(input, init),
  page: () => location,
  apiOrigin,
  token: () => currentSession().token,
  // absent on plain http outside localhost
  subtle: (crypto as Partial<Crypto>).subtle,
  now: () => Date.now(),
  textOf: errorText,
  notifyError: notify.error,
  onUnauthorized: () => {
    // no guest is sent on from where no screen stands
    if (!leadsToLogin(location.pathname)) history.replaceState(null, '', '/login')
    dropSession()
  },
  onFactorNeeded: () => useFactorNeeded.setState({ needed: true }),
  onConstantsVersion: noteConstantsVersion,
})

const settings = await loadRuntime()
setRuntime(settings)
rememberSigning(settings.require_signature)
watchWindowErrors()
void startReporter(settings.error_reporting_dsn, location.hostname, settings.version)
await restoreSession()
followOtherTabs()

// the first screen's texts, code and constants are all on their way before one of them is waited for
offerLanguages(settings.languages)
const texts = startLanguage(settings.language)
let router = routerFor(currentSession())
await texts
const root = createRoot(document.getElementById('root') ?? document.body)
render()
onRoleChange(() => {
  router.dispose()
  router = routerFor(currentSession())
  render()
})

/** The routes of a role, or of guests, which begin to fetch the screen the page stands on. Another role is another set of routes. */
function routerFor({ role, uuid }: Session) {
  // a failure is said in the words of the language
  if (role !== undefined) void texts.then(() => loadConstants({ uuid, role }))
  else {
    void queryClient.prefetchQuery(guestConstantsQuery)
    // whoever types is about to sign in; opening the panel will say what is wrong
    addEventListener('input', () => void loadPanel().catch(() => undefined), { once: true })
  }
  return createBrowserRouter(routesFor(role))
}

function render(): void {
  root.render(<App router={router} role={currentSession().role ?? 'guest'} />)
}

/** What start.js was answered to the same question of the same person; once, and no longer waited for than the question lasts. */
function earlyAnswer({ pathname, search }: URL, { headers, signal }: RequestInit = {}): Promise<Response | undefined> | undefined {
  const key = `${pathname}${search} ${new Headers(headers).get('authorization') ?? ''}`
  const asked = early[key]
  early[key] = undefined
  if (asked === undefined || signal?.aborted) return undefined
  const ended = new Promise<undefined>((resolve) => signal?.addEventListener('abort', () => resolve(undefined), { once: true }))
  return Promise.race([asked, ended])
}

/** Nothing can be shown without the runtime settings: asked for again until the server answers. */
async function loadRuntime(): Promise<Runtime> {
  for (;;) {
    try {
      return await call(runtimeApi.runtime, {}, { quiet: true, token: '' })
    } catch {
      await showStartFailure()
    }
  }
}
