import { existsSync, readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const DEPLOY = join(import.meta.dirname, '../deploy')
const text = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')
const ANALYZE = '/usr/bin/systemd-analyze'

test.skipIf(!existsSync(ANALYZE))('the systemd unit is one systemd takes (skipped where there is no systemd-analyze)', () => {
  const { status, stdout, stderr } = spawnSync(ANALYZE, ['verify', join(DEPLOY, 'ohma.service')], { encoding: 'utf8' })
  expect({ status, said: `${stdout}${stderr}`.split('\n').filter((line) => line.includes('ohma.service')) }).toEqual({
    status: 0,
    said: [],
  })
})

test('the unit opens low ports without being root, and gives everything time to stop', () => {
  const unit = text('ohma.service')
  for (const line of [
    'User=ohma',
    'AmbientCapabilities=CAP_NET_BIND_SERVICE',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'KillMode=mixed',
  ])
    expect(unit).toContain(`\n${line}\n`)
  expect(Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1])).toBeGreaterThan(20)
})

test('the image runs as nobody special, keeps its data in a volume, says how it is, and is stopped in order', () => {
  const image = text('Dockerfile')
  const last = image.slice(image.lastIndexOf('\nFROM '))
  for (const line of [/^USER ohma$/m, /^VOLUME \/var\/lib\/ohma$/m, /^HEALTHCHECK .*\n? .*readyz/m, /^STOPSIGNAL SIGTERM$/m])
    expect(last).toMatch(line)
  const compose = text('compose.yaml')
  for (const line of ['stop_grace_period: 30s', 'no-new-privileges:true', '- data:/var/lib/ohma']) expect(compose).toContain(line)
})
