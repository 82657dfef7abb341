// Runs before the first paint, so that a dark panel never flashes white, and asks for what the app would ask for only
// once it runs: the runtime settings and constants (main.tsx takes the answers), the texts of the language, and for who
// is signed in the panel's files (vite/early-files.ts names them). A file of its own: the CSP allows no inline script.
;(function () {
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null // a browser that keeps nothing follows the system
    }
  }
  const scheme = stored('mantine-color-scheme-value') || 'auto'
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')

  // whole answers by their path and the authorization they were asked with; undefined where none came in time
  const answers = (window.ohmaEarly = {})
  const early = (path, token = '') => (answers[`${path} ${token && `Bearer ${token}`}`] = answerOf(path, token).catch(() => {}))
  const answerOf = async (path, token) => {
    const headers = await headersOf(token)
    const answer = await fetch(path, { headers, credentials: 'omit', signal: AbortSignal.timeout(10_000) })
    return new Response(await answer.arrayBuffer(), answer)
  }
  const isLocal = () => /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)
  // as calls of the app carry them: signed outside localhost, and there where the server asked for it (web/api/signature.ts)
  const headersOf = async (token) => {
    const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    if (isLocal() && stored('ohma.signs') !== '1') return headers
    const timestamp = String(Date.now())
    // absent on plain http, where the app asks by itself
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${timestamp}.${token}.`))
    const signature = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
    return { ...headers, 'x-timestamp': timestamp, 'x-signature': signature }
  }
  const ahead = (name) => {
    const files = document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') || ''
    for (const file of files.split(' ').filter(Boolean)) {
      const style = file.endsWith('.css')
      document.head.append(
        Object.assign(document.createElement('link'), {
          rel: style ? 'preload' : 'modulepreload',
          as: style ? 'style' : '',
          crossOrigin: '',
          href: file,
        }),
      )
    }
  }

  const runtime = early('/api/setting/v1/runtime')

  // A file of the app that does not come, or is none, would leave an empty page where it is what main.tsx stands on: until
  // that watches (web/shell/failure/), the page is loaded again here, by the same rules.
  let reloading = false
  addEventListener('error', onError, true)
  function onError({ target, error }) {
    if (window.ohmaWatches) return removeEventListener('error', onError, true)
    const missing = target instanceof HTMLScriptElement || target instanceof HTMLLinkElement
    if (!missing && !(error instanceof SyntaxError)) return
    // not the answer from above: none came where nothing can be signed
    fetch('/api/setting/v1/runtime', { credentials: 'omit' })
      .then((answer) => answer.json())
      .then(({ data }) => {
        if (data.error_reporting_dsn && !isLocal() && mayReload()) setTimeout(() => location.reload(), 100)
      })
      .catch(() => {})
  }
  function mayReload() {
    const now = Date.now()
    const recent = (stored('ohma.reloads') ?? '')
      .split(',')
      .map(Number)
      .filter((time) => time > now - 60_000 && time <= now)
    if (recent.length >= 3 || reloading) return false
    try {
      localStorage.setItem('ohma.reloads', [...recent, now].join(','))
      return (reloading = true)
    } catch {
      return false // uncounted it would go on for ever
    }
  }

  // cookies of other names, or that nobody of ours wrote, only cost the head start
  const cookie = (name) => {
    try {
      return decodeURIComponent(document.cookie.match(`(?:^|; )ohma_${name}=([^;]+)`)?.[1] ?? '')
    } catch {
      return ''
    }
  }
  const [token, role] = [cookie('token'), cookie('role')]
  const signedIn = token !== '' && role !== ''

  const texts = (language) => {
    ahead(`start-${language}`)
    if (signedIn) ahead(`panel-${language}`)
  }
  const chosen = stored('ohma.language')
  if (chosen) texts(chosen)
  else
    runtime
      .then((answer) => answer.clone().json())
      .then(({ data }) => texts(data.language))
      .catch(() => {})

  if (!signedIn) return void early('/api/constant/v1/guest')
  ahead('panel')
  if (location.pathname === '/dashboard') ahead(role === 'affiliate' ? 'dashboard-own' : 'dashboard')
  // what the browser kept is used for a day
  if (!stored(`ohma.constants.${cookie('uuid')}.${role.toLowerCase()}`)) void early('/api/constant/v1/all', token)
})()
