import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { settleHome } from './embedded-home.ts'

const root = mkdtempSync(join(tmpdir(), 'ohma-home-'))
const places: string[] = []
afterAll(() => {
  for (const place of [root, ...places]) rmSync(place, { recursive: true, force: true })
})

const asRoot = process.getuid?.() === 0 ? test : test.skip

asRoot('a data folder made anew at the same closed place does not find the cluster of the one before', () => {
  const closed = join(root, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  const settle = () => {
    const { cluster } = settleHome(join(closed, 'var'), () => {})
    places.push(dirname(cluster))
    return cluster
  }
  const first = settle()
  expect(first).toMatch(/^\/var\/lib\/ohma-/)
  expect(settle()).toBe(first)
  rmSync(join(closed, 'var'), { recursive: true })
  expect(settle()).not.toBe(first)
})

asRoot('a copy of a data folder keeps to the cluster it brings, not to that of the folder it was copied from', () => {
  const [first, copy] = [join('/var/lib', `ohma-home-${process.pid}`), join('/var/lib', `ohma-home-${process.pid}-copy`)]
  places.push(first, copy)
  const { cluster } = settleHome(first, () => {})
  expect(cluster).toBe(join(first, 'postgres'))
  writeFileSync(join(cluster, 'PG_VERSION'), '18\n')
  cpSync(first, copy, { recursive: true })
  expect(settleHome(copy, () => {}).cluster).toBe(join(copy, 'postgres'))
  expect(settleHome(first, () => {}).cluster).toBe(cluster)
})
