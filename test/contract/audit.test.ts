import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { API } from '#server/access/api.ts'
import { readCallGraph } from '#test/support/call-graph.ts'

const ROOT = join(import.meta.dirname, '../..')
const graph = readCallGraph()

/** A statement that changes rows, as queries are written here. */
const WRITES = /\b(insertInto|updateTable|deleteFrom|insertRows)\(|\b(insert into|delete from) \w|\bupdate \w+( as)?( \w+)?\s+set\b/
const LOGS = /\brecordAudit\(/

/** What changes rows and is no change of the network's: each with why. */
const NOT_LOGGED: Readonly<Record<string, string>> = {
  'auth.logout': 'sign-ins have a history of their own',
  'paymentMethod.ask': 'nothing changes until the code confirms it, which is logged',
  'secondFactor.begin': 'nothing holds until it is confirmed, which is logged',
  'auth.passwordRecovery': 'whether there is such an account must not show anywhere; the password that is set then is logged',
  'registration.resend': 'whether there is such an account must not show anywhere',
  'registration.open': 'counts calls',
  'registration.checkUserData': 'counts calls',
  'import.read': 'an upload that nobody has confirmed goes by itself',
  'leadListImport.read': 'an upload that nobody has confirmed goes by itself',
  'conversionImport.read': 'an upload that nobody has confirmed goes by itself',
  'conversionImport.preview': 'makes the keys of click ids for a new month, when they are first needed',
  'file.upload': 'a file is nothing until something holds it, and goes by itself',
  'conversion.get': 'makes the keys of click ids for a new month, when they are first needed',
  'landing.check': 'looks whether a page is there',
  'news.read': 'what somebody has read',
  'news.readAll': 'what somebody has read',
  'ticket.read': 'what somebody has read',
  'notification.read': 'what somebody has read',
  'notification.readAll': 'what somebody has read',
  'dashboard.dismissFirstSteps': 'how somebody likes the panel',
  'product.testPull': 'what a log-in gave is kept for the next call; nothing anybody set changes',
  'system.check': 'compares and changes nothing; the run names who asked for it',
  'system.backUp': 'copies and changes nothing; the run names who asked for it',
  'system.testMail': 'the test message stands in the log of mail',
  'preference.save': 'how somebody likes the panel',
  'lead.check': 'makes the keys of click ids for a new month, when they are first needed',
  'lead.sendBatch': 'a lead is no setting of the network: its session and its sends say what was done with it',
  'tableLayout.save': 'how somebody likes the panel',
}

/** Sections of the settings are served by one piece, whose tests see that it logs. */
const isSection = (path: string) => path.startsWith('/api/setting/v1/')

describe('what is changed through the API is logged', () => {
  const endpoints = Object.entries(API).flatMap(([feature, group]) =>
    Object.entries(group)
      .filter(([, { path }]) => !isSection(path))
      .map(([name]) => ({ id: `${feature}.${name}`, of: { api: `${feature}Api`, name } })),
  )

  test('every endpoint that changes rows writes an entry, but for a few that have a reason', () => {
    const silent = endpoints.filter(({ of }) => graph.reaches(of, WRITES) && !graph.reaches(of, LOGS)).map(({ id }) => id)
    expect(silent.toSorted()).toEqual(Object.keys(NOT_LOGGED).toSorted())
    expect(endpoints.filter(({ of }) => graph.reaches(of, LOGS)).length).toBeGreaterThan(70)
  })

  test('so does each section of the settings', () => {
    const piece = readFileSync(join(ROOT, 'server/features/network/setting/setting.service.ts'), 'utf8')
    expect(piece).toMatch(LOGS)
  })
})

describe('the log is read in words', () => {
  const texts: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'web/features/people/audit/audit.late.en.json'), 'utf8'))
  const code = globSync('server/features/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .filter((text) => LOGS.test(text) || text.includes('statusChanges('))
  const said = new Set(code.flatMap((text) => [...text.matchAll(/\baction: '([a-z_]+)'/g)].map(([, found = '']) => found)))

  test('every action that is written has one; a kind of thing without one does not compile', () => {
    expect([...said].filter((action) => !(`action.${action}` in texts))).toEqual([])
    expect(said.size).toBeGreaterThan(15)
  })
})
