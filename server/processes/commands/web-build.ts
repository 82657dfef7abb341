import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { giveWay } from '#server/platform/process/priority.ts'
import { StartError } from '../supervisor/console-output.ts'

const ROOT = join(import.meta.dirname, '../../..')
const TARGET = join(ROOT, 'dist/web')
const MARK = '.sources'
const SOURCES = ['index.html', 'web', 'contract', 'package-lock.json', 'vite.config.ts', 'vite', 'tsconfig.base.json', 'tsconfig.web.json']

/** Builds the web app unless `dist/web` already comes from the very same sources. The old build serves until the new one is whole. */
export async function buildWebIfOld(printLine: (line: string) => void): Promise<void> {
  if (!existsSync(join(ROOT, 'vite.config.ts'))) return
  const hash = hashSources()
  if (isBuiltFrom(hash)) return
  refuseReadOnly()
  printLine('building the web app')
  const half = join(ROOT, `dist/web.${process.pid}.part`)
  try {
    const { code, output } = await runVite(half)
    if (code !== 0) throw new StartError(`The web app could not be built:\n${tellingLines(output)}`)
    writeFileSync(join(half, MARK), hash)
    rmSync(TARGET, { recursive: true, force: true })
    try {
      renameSync(half, TARGET)
    } catch (error) {
      if (!isBuiltFrom(hash)) throw error // otherwise another start was faster
    }
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
  printLine('the web app is built')
}

/** Vite's own words about a folder it may not write to help nobody. */
function refuseReadOnly(): void {
  for (const folder of ['.', 'dist', 'node_modules'].map((name) => join(ROOT, name)).filter(existsSync)) {
    try {
      accessSync(folder, constants.W_OK)
    } catch {
      throw new StartError(
        `The web app has to be built, and this user may not write to ${folder}.\nRun \`npm run build\` there as its owner, or make a clone of your own.`,
      )
    }
  }
}

function isBuiltFrom(hash: string): boolean {
  const mark = join(TARGET, MARK)
  return existsSync(mark) && readFileSync(mark, 'utf8') === hash
}

function hashSources(): string {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const path = join(ROOT, source)
    if (!existsSync(path)) continue
    for (const file of filesBelow(path)) hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function filesBelow(path: string): string[] {
  if (!/\.[a-z]+$/.test(path)) {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  }
  return [path]
}

function runVite(outDir: string): Promise<{ code: number | null; output: string }> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: ROOT,
    // any other value of the caller's (a test run's, a shell's) would bundle React's development build, twice as slow
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // the databases and the demo network, which are waited for longest, go first
  if (child.pid !== undefined) giveWay(child.pid)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, output: error.message }))
    child.once('close', (code) => resolve({ code, output }))
  })
}

function tellingLines(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^\s+at |^\s*[{}]|Getter/.test(line))
  return lines.slice(0, 4).join('\n')
}
