import { expect, it } from 'vitest'
import { killUnderLoad } from '#test/support/fault/click-load.ts'

it('a tracker killed twenty times under load has stored every acknowledged click exactly once', async () => {
  expect(await killUnderLoad(20)).toEqual({ lost: [], doubled: 0, invented: [] })
})
