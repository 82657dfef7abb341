import { expect, test } from 'vitest'
import { openTurns } from './turns.ts'

test('heavy work is done one by one, also after some has failed, and nobody has more than so many of it waiting', async () => {
  const turn = openTurns(3)
  const log: string[] = []
  const work =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} begins`)
      await Promise.resolve()
      log.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    }
  const first = turn(1, work('a', true))
  const others = [turn(1, work('b')), turn(2, work('c')), turn(1, work('d'))]
  await expect(turn(1, work('too many'))).rejects.toMatchObject({ code: 'too_many_attempts' })
  await expect(first).rejects.toThrow('a')
  expect(await Promise.all(others)).toEqual(['b', 'c', 'd'])
  expect(log).toEqual(['a', 'b', 'c', 'd'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  expect(await turn(1, work('again'))).toBe('again')
})
