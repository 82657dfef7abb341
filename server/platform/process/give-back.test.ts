import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCRIPT = `
  import { giveBack } from '#server/platform/process/give-back.ts'
  const held = () => process.memoryUsage().heapTotal / 2 ** 20
  let kept = Array.from({ length: 2_000_000 }, (_, at) => ({ at }))
  const most = held()
  kept = undefined
  giveBack()
  console.log(JSON.stringify({ most, least: held() }))`

test('what a start needed and nothing holds any more is the machine’s again', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT])
  const { most, least } = JSON.parse(stdout) as { most: number; least: number } // our own line
  expect(most).toBeGreaterThan(80)
  expect(least).toBeLessThan(30)
})
