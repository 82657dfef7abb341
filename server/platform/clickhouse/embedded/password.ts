import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The password of the embedded server, made once and kept readable to its owner only. */
export async function eventsPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'events-password')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.trim() !== '') return kept.trim()
  // Linked into place whole: of two starters the second reads what the first wrote.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(24).toString('hex'), { mode: 0o600, flush: true })
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return (await readFile(file, 'utf8')).trim()
}
