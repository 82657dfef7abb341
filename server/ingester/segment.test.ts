import { describe, expect, it } from 'vitest'
import { sortOutBadRows } from './bad-rows.ts'
import { countRows, createdAt, readSegment } from './segment.ts'

const rowsOf = (text: string) => readSegment(Buffer.from(text))?.rows.toString()

describe('a spool segment', () => {
  it('gives its columns and its whole rows', () => {
    expect(readSegment(Buffer.from('#ohma1\tts\trnd\n1\t2\n3\t4\n'))).toEqual({ columns: ['ts', 'rnd'], rows: Buffer.from('1\t2\n3\t4\n') })
  })

  it('ends at the zero bytes it was prepared with', () => {
    expect(rowsOf('#ohma1\tts\n1\n2\n\0\0\0\0')).toBe('1\n2\n')
    expect(rowsOf('#ohma1\tts\n\0\0')).toBe('')
  })

  it('loses a last row that was torn, and only that', () => {
    expect(rowsOf('#ohma1\tts\n1\n22')).toBe('1\n')
    expect(rowsOf('#ohma1\tts\n1\n2\0\0\n3\n')).toBe('1\n')
    expect(rowsOf('#ohma1\tts\n1')).toBe('')
  })

  it('is not read without a header of ours', () => {
    for (const text of ['', '\0\0', '#ohma1\tts', '#ohma2\tts\n1\n', 'ts\n1\n', '#ohma1\tts, x\n1\n'])
      expect(readSegment(Buffer.from(text))).toBeNull()
  })

  it('tells its age by its name', () => {
    expect(createdAt('t1-1772359200123-000007')).toBe(1772359200123)
    expect(createdAt('nonsense')).toBeNaN()
  })
})

describe('sorting out bad rows', () => {
  it('finds exactly the bad ones, wherever they are', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => `${[0, 1, 499, 500, 999].includes(index) ? 'bad' : 'good'}${index}\n`)
    let checks = 0
    const { good, bad, badCount } = await sortOutBadRows(Buffer.from(rows.join('')), async (part) => {
      checks += 1
      return !part.includes('bad')
    })
    expect(bad.toString()).toBe(rows.filter((row) => row.startsWith('bad')).join(''))
    expect(good.toString()).toBe(rows.filter((row) => row.startsWith('good')).join(''))
    expect([badCount, checks < 110]).toEqual([5, true])
  })

  it('stops looking when a thousand rows are bad and sets the rest aside', async () => {
    const { good, bad, badCount } = await sortOutBadRows(Buffer.from('bad\n'.repeat(5000)), async () => false)
    expect([good.length, countRows(bad), badCount]).toEqual([0, 5000, 5000])
  })
})
