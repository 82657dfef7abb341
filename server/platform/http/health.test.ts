import { expect, test } from 'vitest'
import { readiness } from './health.ts'

test('ready when every check answers', async () => {
  expect(await readiness({ database: async () => 1 }, () => {})).toEqual({
    status: 200,
    body: { status: 'ready', checks: { database: 'ok' } },
  })
})

test('a failing check makes it not ready, and its reason stays inside', async () => {
  const heard: string[] = []
  const answer = await readiness(
    {
      database: async () => {
        throw new Error('password of 10.0.0.7 is wrong')
      },
      events: async () => 1,
    },
    (name, error) => heard.push(`${name}: ${(error as Error).message}`), // the check above throws an Error
  )
  expect(answer).toEqual({ status: 503, body: { status: 'not ready', checks: { database: 'failed', events: 'ok' } } })
  expect(heard).toEqual(['database: password of 10.0.0.7 is wrong'])
})

test('a check that hangs is given up after two seconds', async () => {
  const began = performance.now()
  const answer = await readiness({ events: () => new Promise(() => {}) }, () => {})
  expect(answer.status).toBe(503)
  expect(performance.now() - began).toBeLessThan(2_500)
})
