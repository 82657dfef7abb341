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

  // answers by their path and the authorization they were asked with
  const answers = (window.ohmaEarly = {})
  const early = (path, authorization = '', signed = Promise.resolve({})) =>
    (answers[`${path} ${authorization}`] = signed.then((headers) => fetch(path, { headers, credentials: 'omit' })).catch(() => {}))
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
  // cookies of other names only cost the head start
  const cookie = (name) => decodeURIComponent(document.cookie.match(`(?:^|; )ohma_${name}=([^;]+)`)?.[1] ?? '')
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
      .then(
        ({ data }) => texts(data.language),
        () => {},
      )

  if (!signedIn) return void early('/api/constant/v1/guest')
  ahead('panel')
  if (location.pathname === '/dashboard') ahead('dashboard')
  // what the browser kept is used for a day
  if (stored(`ohma.constants.${cookie('uuid')}.${role.toLowerCase()}`) || !crypto.subtle) return
  const timestamp = String(Date.now())
  const authorization = `Bearer ${token}`
  const signed = crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${timestamp}.${token}.`)).then((digest) => ({
    accept: 'application/json',
    authorization,
    'x-timestamp': timestamp,
    'x-signature': Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  }))
  void early('/api/constant/v1/all', authorization, signed)
})()
