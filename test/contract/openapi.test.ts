import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConfig, lint } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { describeApi, describePartnerApi } from '#server/access/documentation.ts'

/** What the recommended rules of Redocly find in a document, by rule. */
async function findings(document: object): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ohma-openapi-'))
  const ref = join(folder, 'openapi.json')
  writeFileSync(ref, JSON.stringify(document))
  const found = await lint({ ref, config: await createConfig({ extends: ['recommended'] }) })
  rmSync(folder, { recursive: true })
  return found.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

test.each([
  ['the panel', describeApi('1.0.0')],
  ['partners', describePartnerApi('1.0.0')],
])('the description of the API of %s is without a fault by the rules Redocly recommends', async (_whose, document) => {
  expect(await findings(document)).toEqual([])
  const { servers: _none, ...broken } = document
  expect((await findings(broken)).length).toBeGreaterThan(0)
})
