import { appendFile, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { claimFolder } from '#server/tracker/spool/lock.ts'
import { SEGMENT_HEADER, segmentFiles, sealLeftovers, type SegmentFiles } from '#server/tracker/spool/segment.ts'
import { openSpool, type Spool } from '#server/tracker/spool/spool.ts'
import { removeFolder, until } from '#test/support/run/tracker.ts'

const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tracker-spool-'))
  folders.push(folder)
  return folder
}
afterEach(async () => {
  await Promise.all(folders.splice(0).map(removeFolder))
})

const put = (spool: Spool<string>, name: string): boolean => {
  if (!spool.room()) return false
  spool.add(spool.used + spool.buffer.write(`${name}\n`, spool.used), name)
  return true
}
const linesOf = async (folder: string) => {
  const names = (await readdir(folder)).filter((name) => /\.(seg|open)$/.test(name)).toSorted()
  // A segment may be sealed between the listing and the reading.
  const read = (path: string) => readFile(path, 'latin1').catch(() => readFile(path.replace(/open$/, 'seg'), 'latin1').catch(() => ''))
  const texts = await Promise.all(names.map((name) => read(join(folder, name))))
  return texts.flatMap((text) => text.split('\0')[0]?.split('\n').slice(1, -1) ?? [])
}

describe('the click spool', () => {
  it('has a row on disk before it delivers the waiter, keeps the order and hands segments over', async () => {
    const folder = await newFolder()
    const delivered: string[] = []
    const spool = await openSpool<string>({
      folder,
      tracker: 't1',
      durability: 'group',
      clock: systemClock,
      deliver: (waiters) => void delivered.push(...waiters),
    })
    const wanted: string[] = []
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 50; i++) {
        wanted.push(`row ${round} ${i}`)
        put(spool, `row ${round} ${i}`)
      }
      await until(() => delivered.length === wanted.length)
      expect(await linesOf(folder)).toEqual(wanted)
    }
    await until(async () => (await readdir(folder)).some((name) => name.endsWith('.seg')))
    put(spool, 'last')
    await spool.close()
    const names = (await readdir(folder)).toSorted()
    expect(names.every((name) => /^t1-\d{13}-\d{6}\.seg$/.test(name))).toBe(true)
    expect(await linesOf(folder)).toEqual([...wanted, 'last'])
    expect(spool.counters).toMatchObject({ stored: wanted.length + 1, lost: 0 })
    expect(await readFile(join(folder, names[0] ?? ''), 'latin1')).not.toContain('\0')
  })

  it('answers at once with interval durability and syncs soon after', async () => {
    const folder = await newFolder()
    const delivered: string[] = []
    const spool = await openSpool<string>({
      folder,
      tracker: 't1',
      durability: 'interval',
      clock: systemClock,
      deliver: (waiters) => void delivered.push(...waiters),
    })
    put(spool, 'a')
    expect(delivered).toEqual(['a'])
    await until(async () => (await linesOf(folder)).length === 1)
    await spool.close()
  })

  it('hands rows over although the next segment was late and no click followed', async () => {
    const folder = await newFolder()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let prepared = 0
    const files: SegmentFiles = {
      ...segmentFiles,
      prepare: async (path, capacity) => {
        if (++prepared === 2) await held
        return segmentFiles.prepare(path, capacity)
      },
    }
    const spool = await openSpool<string>({ folder, tracker: 't1', durability: 'group', clock: systemClock, files, deliver: () => {} })
    put(spool, 'only')
    const putAt = performance.now()
    // The time of the segment comes while it has no successor.
    await until(() => spool.counters.stored === 1 && performance.now() - putAt > 700)
    release()
    await until(async () => (await readdir(folder)).some((name) => name.endsWith('.seg')))
    await spool.close()
  })

  it('rotates at the largest number of rows', async () => {
    const folder = await newFolder()
    const spool = await openSpool<string>({ folder, tracker: 't1', durability: 'group', clock: systemClock, deliver: () => {} })
    for (let batch = 0; batch < 5; batch++) {
      const before = spool.counters.stored
      for (let i = 0; i < 30_000; i++) put(spool, 'r')
      await until(() => spool.counters.stored === before + 30_000)
    }
    await spool.close()
    for (const name of await readdir(folder))
      expect((await readFile(join(folder, name), 'latin1')).split('\n').length - 2).toBeLessThanOrEqual(100_000)
    expect(await linesOf(folder)).toHaveLength(150_000)
  })

  it('counts exactly what a full disk refuses, lets visitors go on, and recovers', async () => {
    const folder = await newFolder()
    let full = false
    const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    const files: SegmentFiles = {
      ...segmentFiles,
      prepare: async (path, capacity) => {
        if (full) throw noSpace()
        return segmentFiles.prepare(path, capacity)
      },
      write: (fd, buffer, length, position, done) => {
        // Half of a group gets through before the disk is full: none of it may count as stored.
        if (full) segmentFiles.write(fd, buffer, Math.floor(length / 2), position, () => done(noSpace()))
        else segmentFiles.write(fd, buffer, length, position, done)
      },
    }
    const delivered: string[] = []
    const spool = await openSpool<string>({
      folder,
      tracker: 't1',
      durability: 'group',
      clock: systemClock,
      files,
      deliver: (waiters) => void delivered.push(...waiters),
    })
    let told = 0
    const wave = async (count: number) => {
      const before = delivered.length
      for (let i = 0; i < count; i++) put(spool, `row ${told++}`)
      await until(() => delivered.length === before + count)
    }
    await wave(100)
    full = true
    await wave(10)
    await wave(10)
    await wave(10)
    expect(spool.counters).toMatchObject({ stored: 100, lost: 30 })
    full = false
    await until(async () => {
      const { lost } = spool.counters
      await wave(1)
      return spool.counters.lost === lost
    })
    await wave(50)
    await spool.close()
    const { stored, lost } = spool.counters
    expect(stored + lost).toBe(told)
    const lines = await linesOf(folder)
    expect(lines).toHaveLength(stored)
    expect(new Set(lines).size).toBe(stored)
  })

  it('lets visitors go on when the disk hangs', async () => {
    const folder = await newFolder()
    const stuck: (() => void)[] = []
    let hang = true
    const files: SegmentFiles = {
      ...segmentFiles,
      write: (...call) => (hang ? void stuck.push(() => segmentFiles.write(...call)) : segmentFiles.write(...call)),
    }
    const delivered: string[] = []
    const spool = await openSpool<string>({
      folder,
      tracker: 't1',
      durability: 'group',
      clock: systemClock,
      files,
      deliver: (waiters) => void delivered.push(...waiters),
    })
    put(spool, 'a')
    await until(() => delivered.includes('a'), 4000)
    expect(spool.counters).toMatchObject({ stored: 0, unconfirmed: 1 })
    hang = false
    stuck.forEach((go) => go())
    await spool.close()
    expect(delivered).toEqual(['a'])
    expect(await linesOf(folder)).toEqual(['a'])
  })

  it('saves what a crash left: whole rows are sealed, a torn one is cut, empty files go', async () => {
    const folder = await newFolder()
    const header = SEGMENT_HEADER.toString('latin1')
    await writeFile(join(folder, 't1-0000000000001-000000.open'), `${header}one\ntwo\nthr${'\0'.repeat(5000)}`)
    await writeFile(join(folder, 't1-0000000000002-000000.open'), `${header}${'\0'.repeat(5000)}`)
    await writeFile(join(folder, 't1-0000000000003-000000.open'), header.slice(0, 10))
    await writeFile(join(folder, 't1-0000000000004-000000.open'), `${header}three\n`)
    // A group of which a later block reached the disk before an earlier one: never acknowledged.
    await writeFile(join(folder, 't1-0000000000005-000000.open'), `${header}four\n${'\0'.repeat(512)}five\n`)
    await appendFile(join(folder, 'pb-t1-0000000000006-000000.open'), '{}\n')
    expect(await sealLeftovers(folder)).toBe(4)
    expect((await readdir(folder)).toSorted()).toEqual([
      'pb-t1-0000000000006-000000.open',
      't1-0000000000001-000000.seg',
      't1-0000000000004-000000.seg',
      't1-0000000000005-000000.seg',
    ])
    expect(await readFile(join(folder, 't1-0000000000001-000000.seg'), 'latin1')).toBe(`${header}one\ntwo\n`)
    expect(await readFile(join(folder, 't1-0000000000005-000000.seg'), 'latin1')).toBe(`${header}four\n`)
  })

  it('belongs to one living process', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'lock'), JSON.stringify({ pid: 1, started: 'long ago' }))
    const release = claimFolder(folder)
    expect(JSON.parse(await readFile(join(folder, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid })
    release()
    expect(await readdir(folder)).toEqual([])
  })
})
