import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRings, findViolations, readSources } from './support/architecture.ts'

const ROOT = join(import.meta.dirname, '..')

test('every source keeps the rules of the architecture', () => {
  expect(findViolations(readSources())).toEqual([])
})

// a ring is read as one: whoever closes another cuts it, whoever cuts one of these takes it out of here
test('features of money know each other one way, but for two rings', () => {
  expect(findRings(readSources(), 'money')).toEqual([
    ['advertiser-invoice', 'invoice'],
    ['ledger', 'payment', 'terms'],
  ])
})

describe('each rule finds a planted violation', () => {
  test.each([
    ['imports only what its layer may know', 'contract/offers/offer.ts', `import { log } from '#server/platform/log.ts'`],
    [
      'imports only what its layer may know',
      'server/platform/x.ts',
      `import { listOffers } from '../features/offers/offer/offer.queries.ts'`,
    ],
    [
      'imports only what its layer may know',
      'server/tracker/x.ts',
      `import type { Tables } from '#server/features/offers/offer/offer.queries.ts'`,
    ],
    ['imports only what its layer may know', 'server/tracker/core/x.ts', `import type { TrackerRoutes } from '../http/http.ts'`],
    [
      'imports only what its layer may know',
      'web/features/offers/offer/list.tsx',
      `const a = withinChunkTimeout(import('#server/rules/macros.ts'))`,
    ],
    [
      'a server feature reaches another only through its queries, services and formulas',
      'server/features/offers/offer/offer.routes.ts',
      `import { x } from '../../people/affiliate/affiliate.routes.ts'`,
    ],
    [
      'a web feature knows no other web feature',
      'web/features/offers/offer/list.tsx',
      `import { X } from '#web/features/people/affiliate/x.tsx'`,
    ],
    ['imports only what its layer may know', 'server/platform/y.ts', `import type { Actor } from '#server/access/actor.ts'`],
    ['imports only what its layer may know', 'web/kit/x.ts', `import { useSession } from '#web/shell/session.ts'`],
    ['imports only what its layer may know', 'web/shell/x.ts', `import { X } from '#web/features/people/affiliate/x.tsx'`],
    ['imports only what its layer may know', 'web/shell/x.ts', `import { PAGES } from '#web/pages.ts'`],
    [
      'the SQL of a feature stands in its queries',
      'server/features/offers/offer/offer.service.ts',
      `const a = (db) => db.updateTable('offer').set({}).execute()`,
    ],
    [
      'the SQL of a feature stands in its queries',
      'server/features/offers/offer/offer.routes.ts',
      'const a = sql<{ id: string }>`select pg_advisory_xact_lock(1)`',
    ],
    [
      'the SQL of a feature stands in its queries',
      'server/features/traffic/fact/x.jobs.ts',
      "const a = clickhouse.query({ query: 'SELECT offer FROM conversion_fact' })",
    ],
    ['the SQL of a feature stands in its queries', 'server/features/offers/offer/offer.present.ts', "trx.selectFrom('offer')"],
    [
      'queries read and write rows, services decide, refuse and log',
      'server/features/offers/offer/offer.queries.ts',
      `throw new AppError('not_found')`,
    ],
    [
      'queries read and write rows, services decide, refuse and log',
      'server/features/offers/offer/offer.queries.ts',
      `await recordAudit(trx, actor, now, change)`,
    ],
    [
      'queries read and write rows, services decide, refuse and log',
      'server/features/offers/offer/offer.queries.ts',
      `const rows = may(actor, 'offer.read') ? countRows(found) : 0`,
    ],
    [
      'a presenter shapes what the service fetched',
      'server/features/offers/offer/offer.present.ts',
      `import { type GoalRow, listGoals } from './goal.queries.ts'`,
    ],
    [
      'a presenter shapes what the service fetched',
      'server/features/offers/offer/offer.present.ts',
      `export async function presentOffer(db: Db, row: OfferRow) {}`,
    ],
    [
      'routes answer in the shapes of their own feature',
      'server/features/traffic/postback/log.routes.ts',
      `import { presentConversion } from '../conversion/conversion.present.ts'`,
    ],
    [
      'a job runs by the clock: what is asked for stands in a service',
      'server/features/traffic/conversion/detail.service.ts',
      `import { releaseHolds } from './hold.jobs.ts'`,
    ],
    ['a feature stands in a room', 'server/features/offer/offer.routes.ts', ''],
    ['a file is named after what it holds', 'server/platform/utils.ts', ''],
    [
      'endpoints are made by implement(), which checks access',
      'server/features/offers/offer/offer.routes.ts',
      `app.get('/api/x', () => 1)`,
    ],
    ['the environment is read in one place', 'server/features/offers/offer/offer.service.ts', `const key = process.env['KEY']`],
    ['rights are asked of can(), never of a role', 'web/features/offers/offer/list.tsx', `if (me.role === 'admin') show()`],
    ['code fetched when it is needed is bound by the chunk time-out', 'web/kit/x.ts', `export const later = () => import('./y.ts')`],
    ['a table too wide for its place scrolls in <TableScroll>', 'web/kit/x.tsx', `<Table.ScrollContainer minWidth={1} />`],
    ['one exported component per file', 'web/kit/x.tsx', 'export function A() {}\nexport function B() {}'],
    [
      'one exported component per file',
      'web/features/offers/offer/offer-form.tsx',
      'export function OfferCreate() {}\nexport function A() {}\nexport function B() {}',
    ],
  ])('%s: %s', (rule, path, text) => {
    expect(findViolations([{ path, text }])).toEqual([{ path, rule }])
  })
})

describe('lint finds a planted violation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ohma-lint-'))
  const planted: [rule: string, path: string, text: string][] = [
    ['eslint(no-restricted-imports)', 'contract/a.ts', `import { readFileSync } from 'node:fs'\nexport const a = readFileSync`],
    ['eslint(no-restricted-imports)', 'contract/b.ts', `import { log } from '#server/platform/log.ts'\nexport const b = log`],
    [
      'eslint(no-restricted-imports)',
      'server/platform/c.ts',
      `import { x } from '#server/features/offers/offer/offer.queries.ts'\nexport const c = x`,
    ],
    [
      'eslint(no-restricted-imports)',
      'server/tracker/d.ts',
      `import { x } from '#server/features/offers/offer/offer.queries.ts'\nexport const d = x`,
    ],
    ['eslint(no-restricted-imports)', 'web/e.ts', `import { x } from '#server/rules/macros.ts'\nexport const e = x`],
    ['eslint(no-restricted-imports)', 'server/features/f.ts', `import { Button } from '@mantine/core'\nexport const f = Button`],
    ['typescript(no-explicit-any)', 'server/g.ts', `export const g = (value: any) => String(value)`],
    ['eslint(no-console)', 'server/features/h.ts', `console.log('x')\nexport const h = 1`],
    ['import(no-default-export)', 'server/i.ts', `export default 1`],
    ['eslint(max-lines)', 'server/j.ts', `export const j = 1\n${'// line\n'.repeat(400)}`],
    ['import(no-cycle)', 'server/k.ts', `import { l } from './l.ts'\nexport const k = () => l()`],
    ['import(no-cycle)', 'server/l.ts', `import { k } from './k.ts'\nexport const l = (): unknown => k`],
    ['import(no-cycle)', 'server/p.ts', `import type { Q } from './q.ts'\nexport type P = Q`],
    ['import(no-cycle)', 'server/q.ts', `import type { P } from './p.ts'\nexport type Q = P | 1`],
    ['oxc(no-barrel-file)', 'server/m.ts', `export * from './g.ts'`],
    [
      'react-hooks(rules-of-hooks)',
      'web/n.tsx',
      `import { useState } from 'react'\nexport function N({ on }: { on: boolean }) {\n  if (on) useState(1)\n  return null\n}`,
    ],
    ['jsx-a11y(alt-text)', 'web/o.tsx', `export function O() {\n  return <img src="/x.png" />\n}`],
  ]
  let found: { code: string; filename: string }[] = []

  beforeAll(() => {
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    for (const [, path, text] of planted) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), `${text}\n`)
    }
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), ['--format=json'], { cwd: folder, encoding: 'utf8' })
    found = (JSON.parse(stdout) as { diagnostics: typeof found }).diagnostics // oxlint's format
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each(planted)('%s in %s', (rule, path) => {
    expect(found.filter(({ filename }) => filename === path).map(({ code }) => code)).toContain(rule)
  })
})

test.each(['pg', 'clickhouse'])('the migrations of %s are numbered without a gap', (database) => {
  const names = readdirSync(join(ROOT, 'server/migrations', database)).sort()
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_name, index) => index + 1))
  expect(names.filter((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))).toEqual([])
})
