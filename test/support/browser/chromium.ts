import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  '--disable-gpu',
]

/** A headless Chromium from the npm package, unpacked once per version. It asks the network for nothing by itself; `flags` come on top. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const folder = await unpacked()
  const executablePath = join(folder, 'chromium')
  const home = mkdtempSync(join(tmpdir(), 'ohma-chromium-'))
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [...FLAGS, ...flags],
    env: environment(folder, home, executablePath),
  })
  browser.on('disconnected', () => rmSync(home, { recursive: true, force: true }))
  return browser
}

/** The folder with the program, its fonts, and the libraries a bare machine lacks. */
async function unpacked(): Promise<string> {
  const require = createRequire(import.meta.url)
  const entry = require.resolve('@sparticuz/chromium')
  const root = entry.slice(0, entry.indexOf('/build/'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string } // npm's own file
  const cache = join(import.meta.dirname, '../../../node_modules/.cache/ohma')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder

  mkdirSync(cache, { recursive: true })
  const half = mkdtempSync(join(cache, 'chromium-part-'))
  const before = { ...process.env }
  try {
    // The package unpacks below TMPDIR, and its NSS libraries only where it believes to be on Amazon's machines.
    process.env['TMPDIR'] = half
    process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x'
    const { default: bundle } = await import('@sparticuz/chromium')
    await bundle.executablePath()
    for (const path of [half, join(half, 'chromium')]) chmodSync(path, 0o755) // other users of this clone run it too
  } finally {
    for (const name of ['TMPDIR', 'AWS_EXECUTION_ENV', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
  try {
    renameSync(half, folder)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // otherwise another worker was faster
  }
  return folder
}

function environment(folder: string, home: string, executablePath: string): Record<string, string> {
  // The package's own font list names Amazon's folders. With this one pages look the same on every machine.
  const fonts = join(home, 'fonts.conf')
  writeFileSync(
    fonts,
    `<?xml version="1.0"?><fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(home, 'fonts')}</cachedir></fontconfig>`,
  )
  const env: Record<string, string> = { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C', FONTCONFIG_FILE: fonts }
  try {
    execFileSync(executablePath, ['--version'], { env, stdio: 'ignore' })
    return env
  } catch {
    return { ...env, LD_LIBRARY_PATH: join(folder, 'al2023/lib') }
  }
}
