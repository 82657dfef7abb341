import { expect, test } from 'vitest'
import { backupMoment, backupName, dueMoments, outdated } from './backup-files.ts'

const at = (text: string) => Date.parse(text)

test('a backup is called after its moment, and any other file is none', () => {
  expect(backupName(at('2026-11-21T03:00:05.900Z'))).toBe('ohma-20261121-030005.tar.zst')
  expect(backupMoment('ohma-20261121-030005.tar.zst')).toBe(at('2026-11-21T03:00:05Z'))
  for (const name of [
    'ohma-20261121-030005.tar.zst.part',
    'ohma-20261399-030005.tar.zst',
    'mine.tar.zst',
    '../ohma-20261121-030005.tar.zst',
  ])
    expect(backupMoment(name)).toBeNull()
})

test('the last of each day and of each week is kept, the youngest always, and other files are left alone', () => {
  const days = Array.from({ length: 30 }, (_day, index) => backupName(at('2026-11-30T03:00:00Z') - index * 86_400_000))
  const twice = backupName(at('2026-11-30T15:00:00Z'))
  const gone = outdated([...days, twice, 'photo.png'], { daily: 3, weekly: 3, time_zone: 'UTC' })
  const kept = [...days, twice].filter((name) => !gone.includes(name))
  expect(kept.toSorted()).toEqual([
    'ohma-20261122-030000.tar.zst', // Sunday
    'ohma-20261128-030000.tar.zst',
    'ohma-20261129-030000.tar.zst', // Sunday
    'ohma-20261130-150000.tar.zst',
  ])
  expect(gone).toContain('ohma-20261130-030000.tar.zst')
  expect(outdated([twice], { daily: 1, weekly: 0, time_zone: 'UTC' })).toEqual([])
})

test('a backup is due at an hour of the clock of its zone, in winter and in summer', () => {
  const kyiv = (now: string) => {
    const { last, next } = dueMoments(at(now), 3, 'Europe/Kyiv')
    return [new Date(last).toISOString(), new Date(next).toISOString()]
  }
  expect(kyiv('2026-11-21T00:59:59Z')).toEqual(['2026-11-20T01:00:00.000Z', '2026-11-21T01:00:00.000Z'])
  expect(kyiv('2026-11-21T01:00:00Z')).toEqual(['2026-11-21T01:00:00.000Z', '2026-11-22T01:00:00.000Z'])
  expect(kyiv('2026-07-21T01:00:00Z')).toEqual(['2026-07-21T00:00:00.000Z', '2026-07-22T00:00:00.000Z'])
})
