import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const COMMON = {
  environment: 'node' as const,
  pool: 'forks' as const,
  setupFiles: ['test/support/seed.ts'],
  testTimeout: 20_000,
  hookTimeout: 30_000,
}

/**
 * `unit` needs nothing but Node; `server` shares one PostgreSQL and one events process (test/support/parts.ts);
 * `e2e` drives browsers, after the others; `torture` holds what `npm run torture` does: the long fault rounds, and the property tests
 * on values nobody has seen yet.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { ...COMMON, name: 'unit', include: ['contract/**/*.test.ts', 'server/rules/**/*.test.ts', 'web/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: {
          ...COMMON,
          name: 'server',
          include: ['server/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['server/rules/**', 'test/e2e/**'],
          globalSetup: ['test/support/parts.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...COMMON,
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts'],
          globalSetup: ['test/support/parts.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // A page that is still being drawn can swallow a click where the machine is overloaded; the report names what needed it.
          retry: 1,
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
                include: ['server/**/*.torture.ts', 'test/**/*.torture.ts', ...propertyTests()],
                env: { SEED: process.env['SEED'] ?? 'random' },
                globalSetup: ['test/support/parts.ts'],
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

/** The test files that state properties for any value. */
function propertyTests(): string[] {
  return globSync('{contract,server,web,test}/**/*.test.{ts,tsx}').filter((file) => readFileSync(file, 'utf8').includes('fc.assert('))
}
