import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SEALED } from './secret-key.ts'

test('every column that holds what the key seals is looked at before a new key is made', () => {
  const tables = readFileSync(join(import.meta.dirname, '../../tables/tables.ts'), 'utf8')
  const found = [...tables.matchAll(/^ {2}(\w+): \{\n((?: {4}.*\n)+?) {2}\}/gm)].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/^ {4}(sealed\w*|(?:\w+_)?secret(?:_\w+)?|\w+_sealed): /gm)].map(([, column]) => [table, column]),
  )
  expect(found.toSorted()).toEqual(SEALED.map((one) => [...one]).toSorted())
})
