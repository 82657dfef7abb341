import { mkdtempSync, rmSync, truncateSync, statSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createArchive, readArchive } from './archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'ohma-archive-'))
const file = join(folder, 'a.tar.zst')
afterAll(() => rmSync(folder, { recursive: true }))

async function readAll(): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>()
  for await (const { name, content } of readArchive(file)) entries.set(name, Buffer.from(content))
  return entries
}

test('what goes in comes out, long streams in numbered pieces', async () => {
  const long = randomBytes(20 * 1024 * 1024 + 17)
  const archive = createArchive(file)
  await archive.add('empty', '')
  await archive.add('text', 'Їжак')
  await archive.addStream(
    'long',
    (async function* () {
      for (let at = 0; at < long.length; at += 100_000) yield long.subarray(at, at + 100_000)
    })(),
  )
  await archive.close()
  const entries = await readAll()
  expect(entries.get('empty')?.length).toBe(0)
  expect(entries.get('text')?.toString()).toBe('Їжак')
  const pieces = [...entries].filter(([name]) => name.startsWith('long/')).map(([, content]) => content)
  expect(pieces.length).toBe(3)
  expect(Buffer.concat(pieces).equals(long)).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a file that is cut off or damaged is refused', async () => {
  const whole = readFileSync(file)
  truncateSync(file, whole.length - 1000)
  await expect(readAll()).rejects.toThrow()
  writeFileSync(file, 'hello')
  await expect(readAll()).rejects.toThrow()
})
