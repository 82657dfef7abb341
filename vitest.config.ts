import { globSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

if (!process.env['TORTURE'] && hasRoom('/dev/shm')) process.env['TMPDIR'] ??= '/dev/shm'

const COMMON = {
  environment: 'node' as const,
  pool: 'forks' as const,
  setupFiles: ['test/support/seed.ts'],
  // for what hangs, not for what is slow: machines are, at times five times as slow as usual
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // a machine with more work than cores is late
  expect: { poll: { timeout: 30_000 } },
  execArgv: seldomCollecting(),
  // files that follow each other in a worker share its modules, and with them panel and browser (test/support/browser/panel.ts)
  isolate: false,
  // Node runs our TypeScript as it does in the product; through Vite's transforms the suite takes a third more of both cores
  experimental: { viteModuleRunner: false, nodeLoader: false },
}

/** What takes longest, longest first, and no two whole instances under traffic side by side; `npm test` ends with a table of it. */
const DEAREST = [
  ...['fault', 'backup', 'supervise', 'storm', 'payout', 'access', 'recount', 'build', 'fuzz', 'ingester'].map(
    (name) => `/${name}.test.ts`,
  ),
  ...['outcome', 'statistics', 'screens', 'offer', 'sign-in', 'affiliate', 'landing', 'failure'].map((name) => `/${name}.e2e.ts`),
]

/** Longest first, so that all workers are busy to the end; without times of an earlier run vitest would go by the size of the files. */
class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => DEAREST.findIndex((name) => moduleId.endsWith(name))
    const usual = await super.sort(files)
    // projects stay together and in their order: files of a project share what a worker has running
    const projects = [...new Set(usual.map(({ project }) => project))]
    return projects.flatMap((one) => {
      const own = usual.filter(({ project }) => project === one)
      const dear = own.filter((file) => place(file) >= 0).toSorted((a, b) => place(a) - place(b))
      return [...dear, ...own.filter((file) => place(file) < 0)]
    })
  }
}

/**
 * `unit` and `web` need nothing but Node; `server` shares one PostgreSQL and one events process (test/support/run/parts.ts);
 * `e2e` drives browsers, after the others; `torture` holds what `npm run torture` does: the long fault rounds, and the property tests
 * on values nobody has seen yet.
 */
export default defineConfig({
  test: {
    // one more than cores: tests of whole instances wait for much of their time
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: DearestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...COMMON,
          name: 'unit',
          include: ['contract/**/*.test.ts', 'server/rules/**/*.test.ts'],
        },
      },
      {
        extends: true,
        // components, JSON and import.meta.glob are Vite's
        test: { ...COMMON, name: 'web', include: ['web/**/*.test.{ts,tsx}'], experimental: { viteModuleRunner: true } },
      },
      {
        extends: true,
        test: {
          ...COMMON,
          name: 'server',
          include: ['server/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['server/rules/**', 'test/e2e/**'],
          globalSetup: ['test/support/run/parts.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...COMMON,
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts'],
          // each has a browser of its own, which is slow the first time it draws a screen: one more takes a quarter more of the processors
          maxWorkers: availableParallelism(),
          globalSetup: ['test/support/run/parts.ts', 'test/support/browser/web.ts'],
          testTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      ...(process.env['TORTURE']
        ? [
            {
              extends: true as const,
              test: {
                ...COMMON,
                name: 'torture',
                include: ['server/**/*.torture.ts', 'test/**/*.torture.ts', ...longerTests()],
                env: { SEED: process.env['SEED'] ?? 'random' },
                globalSetup: ['test/support/run/parts.ts'],
                testTimeout: 1_800_000,
                hookTimeout: 120_000,
                maxWorkers: 1,
                sequence: { groupOrder: 2 },
              },
            },
          ]
        : []),
    ],
  },
})

/**
 * Whether a file system in memory may hold what tests write, which lives for seconds: dozens of databases, of which each is
 * hundreds of files. On a disk they take twice the time of the system. Programs may have to run from there.
 */
function hasRoom(memory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    const options = /^\S+ (\S+) tmpfs (\S+)/gm
    const mounts = [...readFileSync('/proc/mounts', 'utf8').matchAll(options)]
    const runs = mounts.some(([, place, flags = '']) => place === memory && !flags.split(',').includes('noexec'))
    return runs && Math.min(bavail * bsize, process.availableMemory()) > 6 * 1024 ** 3
  } catch {
    return false // no such thing here
  }
}

/**
 * What files leave in a worker they share is looked through for garbage again and again, which takes a seventh of all that tests take;
 * with room to spare it is let lie.
 */
function seldomCollecting(): string[] {
  const room = process.availableMemory() > 8 * 1024 ** 3
  return room ? ['--min-semi-space-size=64', '--max-semi-space-size=64', '--initial-old-space-size=1024'] : []
}

/** The test files that state properties for any value, or do more rounds of what they do. */
function longerTests(): string[] {
  const longer = /fc\.assert\(|\['TORTURE'\]/
  return globSync('{contract,server,web,test}/**/*.test.{ts,tsx}').filter((file) => longer.test(readFileSync(file, 'utf8')))
}
