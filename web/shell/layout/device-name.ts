import Bowser from 'bowser'

/** What a browser calls itself, in words people know: "Chrome 147 · Linux". Anything else stays as it is. */
export function deviceName(userAgent: string): string {
  const { browser, os, platform } = Bowser.parse(userAgent || '-')
  const program = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ')
  if (!program || !os.name) return userAgent
  return [program, os.name, platform.model].filter(Boolean).join(' · ')
}
