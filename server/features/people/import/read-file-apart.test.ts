import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readFileApart } from './read-file-apart.ts'
import { readFile } from './read-file.ts'

const AUTO = { encoding: 'auto', delimiter: 'auto' } as const
const LARGE = 300_000
const fileOf = (line: string) => Buffer.from(`click_id;comment\n${line.repeat(LARGE / line.length)}`)

test('a large file is read as a small one, while others are answered', async () => {
  const bytes = fileOf('Партнер;"a; b"\n')
  let isRead = false
  const reading = readFileApart(bytes, AUTO, 100_000).finally(() => (isRead = true))
  await setImmediate()
  expect(isRead).toBe(false)
  expect(await reading).toEqual(readFile(bytes, AUTO, 100_000))
})

test('a large file is refused in the words of a small one', async () => {
  const quotes = 'A quotation mark is opened and never closed, or stands within a value without being doubled'
  for (const [line, file] of [
    ['"a\n', quotes],
    ['x;y\n', 'At most 10 rows at once: divide the file'],
  ] as const)
    await expect(readFileApart(fileOf(line), AUTO, 10)).rejects.toMatchObject({ code: 'invalid_input', fields: { file } })
})
