import { expect, test } from 'vitest'
import { readFile } from './read-file.ts'

const AUTO = { encoding: 'auto', delimiter: 'auto' } as const
const western = (text: string) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1')
const cyrillic = (text: string) =>
  Uint8Array.from([...text], (letter) => {
    const code = letter.codePointAt(0) ?? 0
    return code < 128 ? code : letter === 'і' ? 0xb3 : code - 0x410 + 0xc0
  })

test('a file of Western Europe is no Cyrillic one', () => {
  const german = readFile(western('Klick;Währung;Größe\nx;€;bestätigt\n'), AUTO)
  expect(german).toMatchObject({
    encoding: 'windows-1252',
    columns: ['Klick', 'Währung', 'Größe'],
    rows: [{ cells: ['x', '€', 'bestätigt'] }],
  })
  expect(readFile(western('id,état\n1,refusé à tort\n'), AUTO)).toMatchObject({ encoding: 'windows-1252', columns: ['id', 'état'] })
  const ukrainian = readFile(cyrillic('Партнер;Сума\nМаша;і\n'), AUTO)
  expect(ukrainian).toMatchObject({ encoding: 'windows-1251', columns: ['Партнер', 'Сума'], rows: [{ cells: ['Маша', 'і'] }] })
  expect(readFile(cyrillic('click_id,статус\nx,approved\n'), AUTO)).toMatchObject({ encoding: 'windows-1251' })
})

test('bytes that are letters nowhere are refused', () => {
  expect(() => readFile(Uint8Array.from([110, 10, 0xff, 0xd8, 0xc3, 0x28, 0x98, 0x81]), AUTO)).toThrow()
})
