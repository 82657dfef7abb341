import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemApi } from '#contract/network/system.ts'
import { createArchive } from '#server/platform/files/archive.ts'
import { metricsText } from '#server/platform/metrics/text.ts'
import { trackerMetrics } from '#server/tracker/metrics.ts'
import { upload } from '#test/support/make/landings.ts'
import { pngOf } from '#test/support/make/picture.ts'
import { startApi } from '#test/support/run/api.ts'
import { startFakeApi } from '#test/support/run/fake-api.ts'
import { readClicks, startTracker, until } from '#test/support/run/tracker.ts'

const root = mkdtempSync(join(tmpdir(), 'ohma-full-disk-'))
const disks: string[] = []

/** A small disk of its own, which only root can have; '' elsewhere. What a full one refuses is then told by `spool.test.ts` alone. */
function smallDisk(name: string, megabytes: number): string {
  const folder = join(root, name)
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'ohma-test', folder], { stdio: 'ignore' })
    disks.push(folder)
    return folder
  } catch {
    return ''
  }
}
const disk = smallDisk('disk', 8)
const other = smallDisk('other', 2)
afterAll(() => {
  for (const folder of disks) execFileSync('umount', ['-l', folder])
  rmSync(root, { recursive: true, force: true })
})

/** Takes all the room there is, each time it is called; `giveBack` gives it back. */
function fill(folder: string): void {
  const file = openSync(join(folder, 'filler'), 'a')
  for (let size = 64 * 1024; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1))
    } catch {}
  }
  closeSync(file)
}

const giveBack = (folder: string) => rmSync(join(folder, 'filler'))

test.skipIf(disk === '')(
  'on a full disk visitors are redirected, what is lost is counted and told, and storing goes on by itself',
  async () => {
    const fake = await startFakeApi()
    const tracker = await startTracker(fake, {}, disk)
    let sent = 0
    const click = async () => {
      sent += 1
      const answer = await fetch(`${tracker.url}/click?offer_id=1&pid=5&sub1=n${sent}`, { redirect: 'manual' })
      expect(answer.status).toBe(302)
    }
    const metric = async (name: string) =>
      Number(new RegExp(`^${name}\\{tracker="t1"\\} (\\d+)$`, 'm').exec(metricsText(await trackerMetrics(disk, Date.now())))?.[1])
    try {
      await tracker.ready()
      for (let count = 0; count < 20; count += 1) await click()
      await until(async () => (await metric('ohma_tracker_stored_clicks_total')) === 20)
      // what was made ready before still takes clicks; after that there is no room for any
      await until(async () => {
        fill(disk)
        await Promise.all(Array.from({ length: 20 }, click))
        return (await metric('ohma_tracker_spool_failing')) === 1 && (await metric('ohma_tracker_lost_clicks_total')) > 0
      })
      expect(await metric('ohma_tracker_up')).toBe(1)
      giveBack(disk)
      await until(async () => (await metric('ohma_tracker_spool_failing')) === 0)
      for (let count = 0; count < 20; count += 1) await click()
      const all = async () => (await metric('ohma_tracker_stored_clicks_total')) + (await metric('ohma_tracker_lost_clicks_total'))
      await until(async () => (await all()) === sent)
      const stored = await metric('ohma_tracker_stored_clicks_total')
      await tracker.stop()
      const rows = (await readClicks(disk)).map(({ sub1 }) => sub1)
      expect(rows).toHaveLength(stored)
      expect(new Set(rows).size).toBe(stored)
      expect(rows.slice(-20)).toEqual(Array.from({ length: 20 }, (_row, index) => `n${sent - 19 + index}`))
    } finally {
      await fake.stop()
    }
  },
)

test.skipIf(other === '')(
  'on a full disk an upload is refused in words and leaves nothing, a backup fails, and both go on later',
  async () => {
    const api = await startApi({ env: { DATA_DIR: other } })
    try {
      const admin = await api.as('admin')
      fill(other)
      const refused = await upload(api, admin, pngOf(400, 300))
      expect(refused).toMatchObject({ status: 507 })
      expect(Object.values(refused.errors)[0]).toContain('disk of the server is full')
      expect(readdirSync(join(other, 'files'))).toEqual([])
      const { lines } = (await admin.call(systemApi.read)).data
      expect(lines.find(({ id }) => id === 'storage')).toMatchObject({ state: 'bad', problem: 'full' })
      giveBack(other)
      expect((await upload(api, admin, pngOf(400, 300))).status).toBe(200)

      const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
      const archive = createArchive(join(other, 'backup.part'))
      const write = async () => {
        for (let piece = 0; piece < 100; piece += 1) await archive.add(`piece/${piece}`, Buffer.from(noise.map((byte) => byte ^ piece)))
        await archive.close()
      }
      await expect(write()).rejects.toMatchObject({ code: 'ENOSPC' })
    } finally {
      await api.close()
    }
  },
)
