// Runs before the first paint, so that a dark panel never flashes white, and asks for what the app would ask for only
// once it runs: the runtime settings and the constants of guests (main.tsx takes the answers), and for who is signed in
// the frame of the panel (vite/early-files.ts names it). A file of its own: the CSP allows no inline script.
;(function () {
  let scheme = 'auto'
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value') || 'auto'
  } catch {
    // a browser that keeps nothing follows the system
  }
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  const early = (path) => (window.ohmaEarly[path] = fetch(path, { credentials: 'omit' }).catch(() => {}))
  window.ohmaEarly = {}
  early('/api/setting/v1/runtime')
  const panel = document.querySelector('meta[name="panel"]')
  // cookies of other names only cost the head start
  if (!document.cookie.includes('ohma_role=')) return void early('/api/constant/v1/guest')
  if (!panel) return
  for (const file of panel.getAttribute('content').split(' ')) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  }
})()
