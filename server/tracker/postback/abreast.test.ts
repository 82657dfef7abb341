import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mintClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { snapshotOf } from '#test/support/fake-api.ts'
import { sendAbreast } from './abreast.ts'
import type { HandOver } from './postback-spool.ts'

const keys = readClickIdKeys(snapshotOf().keys)
const clickId = (number: number) => mintClickId({ at: 1_772_359_200_123, offerId: 1, affiliateId: 5, random: number }, keys)
const line = (click: number, step: number) => JSON.stringify({ query: `cid=${clickId(click)}&step=${step}`, body: '' })

test('postbacks go several at once, and those about one click in their order', async () => {
  const lines = Array.from({ length: 120 }, (_value, index) => line(index % 12, index))
  const done: string[] = []
  let open = 0
  let most = 0
  const outcomes = await sendAbreast(lines, async (one) => {
    most = Math.max(most, ++open)
    await wait(Math.random() * 4)
    open--
    done.push(one)
    return one === lines[7] ? 'refused' : 'arrived'
  })
  expect(most).toBeGreaterThan(4)
  for (let click = 0; click < 12; click++) {
    const about = (one: string) => one.includes(clickId(click))
    expect(done.filter(about)).toEqual(lines.filter(about))
  }
  expect(outcomes.flatMap((outcome, index) => (outcome === 'arrived' ? [] : [index]))).toEqual([7])
})

test('after the first that finds nobody no more are begun', async () => {
  let begun = 0
  const outcomes = await sendAbreast(
    Array.from({ length: 100 }, (_value, index) => line(index, 0)),
    async (): Promise<HandOver> => (++begun > 20 ? 'away' : 'arrived'),
  )
  expect(begun).toBeLessThan(40)
  expect(outcomes.filter((outcome) => outcome === 'arrived')).toHaveLength(20)
})

test('what shares a click or a transaction with a refused one is held, and who shares one with it', async () => {
  const about = (query: string) => JSON.stringify({ query, body: '' })
  const lines = [
    about(`cid=${clickId(1)}&refuse`),
    about(`cid=${clickId(2)}`),
    about(`cid=${clickId(1).toUpperCase()}&txn_id=T`),
    about(`cid=${clickId(3)}&tid=T`),
    about('n=1'),
  ]
  const refused = new Set<string>()
  const outcomes = await sendAbreast(lines, async (one): Promise<HandOver> => (one.includes('refuse') ? 'refused' : 'arrived'), refused)
  expect(outcomes).toEqual(['refused', 'arrived', 'held', 'held', 'arrived'])
  expect(await sendAbreast([about(`cid=${clickId(3)}`)], async () => 'arrived', refused)).toEqual(['held'])
})
