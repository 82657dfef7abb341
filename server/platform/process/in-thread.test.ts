import { expect, test } from 'vitest'
import { inThread } from './in-thread.ts'

/** A module that answers twice what it is given, and one that ends without a word. */
const module = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`)
const TWICE = module(`import { parentPort, workerData } from 'node:worker_threads'; parentPort.postMessage(workerData * 2)`)

test('one that breaks, says nothing, or cannot even begin keeps nobody from the next', async () => {
  expect(await inThread(TWICE, 21)).toBe(42)
  expect(await inThread(module(`throw new Error('broken')`), 1)).toBe(undefined)
  expect(await inThread(module(''), 1)).toBe(undefined)
  // a function cannot be handed over
  await expect(inThread(TWICE, () => 1)).rejects.toThrow('could not be cloned')
  expect(await inThread(TWICE, 4)).toBe(8)
})
