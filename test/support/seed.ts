import fc from 'fast-check'

/**
 * Vitest's set-up of every test file: property tests look at the same values in each run, so that an unlucky one does not
 * redden somebody else's change. `SEED=random` looks at new ones, `SEED=<number>` at those of an earlier run.
 */
const asked = process.env['SEED'] ?? '20261121'
const seed = asked === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(asked)
if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be a whole number or "random", not "${asked}"`)
if (asked === 'random') console.log(`SEED=${seed}`)
fc.configureGlobal({ seed })
