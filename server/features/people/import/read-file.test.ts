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

test.each([
  ['Report for October\nclick_id;status\nx;approved\n', 2],
  ['Report, October 2026\n\nclick_id;status\nx;approved\ny;declined\n', 3],
  ['All sales\nclick_id;status\n1;approved\n2;approved\n3;approved\n4;approved\n5 in all;\n', 2],
  ['Acme Ltd.;;\nOctober;;\nclick_id;status;amount\nx;approved;1,5\n', 3],
])('a title above the names of the columns is none of them: %j', (text, line) => {
  const { columns, rows, delimiter } = readFile(new TextEncoder().encode(text), AUTO)
  expect([columns.slice(0, 2), delimiter, rows[0]?.line, rows[0]?.cells[1]]).toEqual([['click_id', 'status'], ';', line + 1, 'approved'])
})

test.each([
  ['Value\na@b.example\nx,y\nc\n', ['Value']],
  ['id,tags\n1,a;b;c\n2,d;e;f\n', ['id', 'tags']],
  ['click_id\n1\n2\n', ['click_id']],
  ['click_id;status\nx\ny;approved\n', ['click_id', 'status']],
])('the first row holds the names where nothing says that it is a title: %j', (text, columns) => {
  expect(readFile(new TextEncoder().encode(text), AUTO).columns).toEqual(columns)
})
