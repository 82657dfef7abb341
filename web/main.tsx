import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.layer.css'
import './theme/theme.css'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { settingApi } from '#contract/network/setting.ts'
import { call, connect } from './api/call.ts'
import { loadConstants, noteConstantsVersion } from './api/constants.ts'
import { App } from './app.tsx'
import { errorText, startLanguage } from './i18n/language.ts'
import { panelFrame, routesFor } from './router.tsx'
import { notify } from './notify.ts'
import { startReporter } from './shell/failure/reporter.ts'
import { setRuntime, type Runtime } from './shell/runtime.ts'
import { currentSession, dropSession, followOtherTabs, onRoleChange, restoreSession } from './shell/session.ts'
import { showStartFailure } from './shell/failure/start-failure.ts'
import { watchWindowErrors } from './shell/failure/window-errors.ts'

connect({
  fetch: (input, init) => fetch(input, init),
  page: () => location,
  token: () => currentSession().token,
  // absent on plain http outside localhost
  subtle: (crypto as Partial<Crypto>).subtle,
  now: () => Date.now(),
  textOf: errorText,
  notifyError: notify.error,
  onUnauthorized: dropSession,
  onConstantsVersion: noteConstantsVersion,
})

const settings = await loadRuntime()
setRuntime(settings)
watchWindowErrors()
void startReporter(settings.error_reporting_dsn, location.hostname, settings.version)
await Promise.all([startLanguage(settings.language), restoreSession()])
followOtherTabs()

const root = createRoot(document.getElementById('root') ?? document.body)
let router = render()
onRoleChange(() => {
  router.dispose()
  router = render()
})

/** Draws the app with the routes of the role; another role is another set of routes. */
function render() {
  const { role, uuid } = currentSession()
  if (role !== undefined) void loadConstants({ uuid, role }) // while the code of the screen is on its way
  // whoever types is about to sign in; opening the panel will say what is wrong
  else addEventListener('input', () => void panelFrame().catch(() => undefined), { once: true })
  const made = createBrowserRouter(routesFor(role))
  root.render(<App router={made} role={role ?? 'guest'} />)
  return made
}

/** Nothing can be shown without the runtime settings: asked for again until the server answers. */
async function loadRuntime(): Promise<Runtime> {
  for (;;) {
    try {
      return await call(settingApi.runtime, {}, { quiet: true, token: '' })
    } catch {
      await showStartFailure()
    }
  }
}
