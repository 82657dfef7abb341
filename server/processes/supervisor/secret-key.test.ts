import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SEALED } from './secret-key.ts'

/** What is bytes and not sealed by the key: digests, keys of their own, files. */
const OPEN = /^(?:\w+_)?(?:hash|digest|sha256|bytes|attachment|mac|mark|mask|key|id|held|change|made_of)$/

test('every column that holds what the key seals is looked at before a new key is made', () => {
  const tables = readFileSync(join(import.meta.dirname, '../../tables/tables.ts'), 'utf8')
  const found = [...tables.matchAll(/^ {2}(\w+): \{\n((?: {4}.*\n)+?) {2}\}/gm)].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/^ {4}(\w+): Buffer\b/gm)].flatMap(([, column = '']) => (OPEN.test(column) ? [] : [[table, column]])),
  )
  expect(found.toSorted()).toEqual(SEALED.map((one) => [...one]).toSorted())
})
