import { defineConfig } from 'vitest/config'

const COMMON = { environment: 'node' as const, pool: 'forks' as const, testTimeout: 20_000, hookTimeout: 30_000 }

/**
 * `unit` needs nothing but Node; `server` shares one PostgreSQL and one events process (test/support/parts.ts);
 * `e2e` drives a browser, one journey at a time; `torture` holds the long fault rounds of `npm run torture`.
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
          maxWorkers: 1,
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
                include: ['server/**/*.torture.ts', 'test/**/*.torture.ts'],
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
