// Runs before the first paint, so that a dark panel never flashes white, and asks for the runtime settings while the app
// is still on its way (main.tsx takes the answer). A file of its own: the CSP allows no inline script.
;(function () {
  let scheme = 'auto'
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value') || 'auto'
  } catch {
    // a browser that keeps nothing follows the system
  }
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  window.ohmaRuntime = fetch('/api/setting/v1/runtime', { credentials: 'omit' }).catch(function () {})
})()
