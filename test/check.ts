import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { openNetworks } from '#server/platform/geo/network.ts'
import { openPlaces } from '#server/platform/geo/place.ts'
import { buildWebIfOld } from '#server/processes/commands/web-build.ts'

// `npm test`: everything a change must pass. Each check before or beside the tests counts as one test. Ends with one plain line.
// The long checks run beside the tests and give way to them; tests with browsers come last (groupOrder of vitest.config.ts): side by
// side with the others they would starve each other, and fault tests under traffic need their share.

type Tally = { passed: number; failed: number; skipped: number }

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules/.bin')
const CACHE = join(ROOT, 'node_modules/.cache/ohma')
/** Has what nobody else wants of the processors; whatever it starts has it too. */
const LAST = constants.priority.PRIORITY_LOW
const NODE_COMPILE_CACHE = join(CACHE, 'compiled')
const began = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'ohma-check-'))
const report = join(folder, 'tests.json')

const tally: Tally = { passed: 0, failed: 0, skipped: 0 }
try {
  await Promise.all([
    // every whole instance of a test would build it otherwise
    check('the web app builds', () => buildWebIfOld(progress)),
    inTurn([
      ['lint', () => succeed('oxlint', ['--deny-warnings'])],
      ['format', () => succeed('oxfmt', ['--check'])],
      // the first to need them would compile them within a test
      ['places and networks are compiled', async () => void [openPlaces(), openNetworks()]],
    ]),
  ])
  // tests wait for much of their time, for others of theirs and for databases: what is left of both cores is enough for these
  const beside = inTurn([
    ['types of server and tests', () => checkTypes('server')],
    ['types of the web app', () => checkTypes('web')],
    ['nothing unused', () => succeed('knip', ['--cache', '--cache-location', join(CACHE, 'knip')], LAST)],
  ])
  add(await runTests(['unit', 'web', 'server', 'e2e']))
  await beside
  tellDearest()
  tellRetried()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

progress(`took ${Math.round((performance.now() - began) / 1000)} s`)
console.log(`${tally.passed} passed, ${tally.failed} failed${tally.skipped > 0 ? `, ${tally.skipped} skipped` : ''}`)
process.exitCode = tally.failed > 0 ? 1 : 0

async function inTurn(checks: [name: string, work: () => Promise<void>][]): Promise<void> {
  for (const [name, work] of checks) await check(name, work)
}

async function check(name: string, work: () => Promise<void>): Promise<void> {
  const start = performance.now()
  try {
    await work()
    add({ passed: 1, failed: 0, skipped: 0 })
    progress(`${name}: ok (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  } catch (error) {
    add({ passed: 0, failed: 1, skipped: 0 })
    progress(`${name}: FAILED: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * In one thread: divided among several, much is checked twice. What has not changed since the last run is not checked again. It uses
 * two gigabytes; to look for what of them is free before there are three takes a fifth of its time.
 */
function checkTypes(root: 'server' | 'web'): Promise<void> {
  return succeed('tsc', ['-p', `tsconfig.${root}.json`, '--checkers', '1'], LAST, { GOGC: 'off', GOMEMLIMIT: '3GiB' })
}

async function succeed(program: string, args: string[], priority?: number, env?: Record<string, string>): Promise<void> {
  const code = await run(program, args, priority, env)
  if (code !== 0) throw new Error(`${program} ended with ${code}`)
}

/** The tests of these projects, on one database server and one events process; the counts come from vitest's own report. */
async function runTests(projects: string[]): Promise<Tally> {
  progress('tests')
  const code = await run('vitest', [
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--passWithNoTests', // of a run for some files only
    '--retry=1', // red means broken, not unlucky; what needed it is named (`tellRetried`)
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ])
  const counted = countReport()
  progress(`tests: ${counted.passed} passed, ${counted.failed} failed`)
  // An error outside of every test, or no report at all, must not pass as success.
  return code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted
}

type Report = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { name: string; status: string; startTime: number; endTime: number; assertionResults: TestResult[] }[]
}

/** `failureMessages`: of a test that passed, why it did not at once. */
type TestResult = { fullName: string; status: string; failureMessages: string[] }

// a function, not a constant: the top of this file runs before constants down here have a value
function readReport(): Report {
  return JSON.parse(readFileSync(report, 'utf8')) as Report // vitest's format
}

/** Prints the ten dearest test files: what has to be made cheaper before the suite grows out of its time. */
function tellDearest(): void {
  try {
    const files = readReport().testResults.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
    const row = (name: string, seconds: number) =>
      `${seconds.toFixed(1).padStart(8)} s ${((100 * seconds) / total).toFixed(0).padStart(4)} %  ${name}`
    const dearest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
    console.log(`\nThe dearest of ${files.length} test files (several run at once):`)
    for (const { name, seconds } of dearest) console.log(row(relative(ROOT, name), seconds))
    console.log(`${row('all test files', total)}\n`)
  } catch {} // without a report there is nothing to tell; the tally says so
}

/** Names the tests that passed at their second try only: each is a mistake of the product or of the test, and is to be mended. */
function tellRetried(): void {
  try {
    const retried = readReport().testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
        .map(
          ({ fullName, failureMessages }) => `${relative(ROOT, name)} > ${fullName}\n${failureMessages[0]?.split('\n    at ')[0] ?? ''}`,
        ),
    )
    if (retried.length > 0) console.log(`PASSED AT THE SECOND TRY ONLY (${retried.length}), to be mended:\n\n${retried.join('\n\n')}\n`)
  } catch {} // as above
}

function countReport(): Tally {
  try {
    const { testResults, ...counts } = readReport()
    const broken = testResults.filter((result) => result.status === 'failed' && result.assertionResults.length === 0).length
    return { passed: counts.numPassedTests, failed: counts.numFailedTests + broken, skipped: counts.numPendingTests + counts.numTodoTests }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

function run(program: string, args: string[], priority = 0, own: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(join(BIN, program), args, {
      cwd: ROOT,
      stdio: 'inherit',
      // dozens of processes of the product start in the tests: what one has compiled the next need not
      env: { NODE_COMPILE_CACHE, ...own, ...process.env, PATH: `${BIN}:${process.env['PATH']}` },
    })
    if (child.pid !== undefined && priority > 0) setPriority(child.pid, priority)
    child.once('error', () => resolve(127))
    child.once('close', (code) => resolve(code ?? 1))
  })
}

function add(more: Tally): void {
  tally.passed += more.passed
  tally.failed += more.failed
  tally.skipped += more.skipped
}

function progress(line: string): void {
  console.log(`[${((performance.now() - began) / 1000).toFixed(0).padStart(3)} s] ${line}`)
}
