import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { Agent, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as acme from 'acme-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig, type Config } from '#server/platform/config.ts'
import { openSealer } from '#server/platform/seal.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { until } from '#test/support/run/instance.ts'
import { findChallenge } from './certificate.queries.ts'
import { getDueCertificate } from './issue.service.ts'

// The test authority of Let's Encrypt, as Debian packages it: it looks names up, asks for proofs and signs as theirs does, and refuses
// one nonce in five, as it may.
const PEBBLE = ['/usr/bin/pebble', '/usr/bin/pebble-challtestsrv']
const isThere = PEBBLE.every((file) => existsSync(file))
if (!isThere) process.stderr.write('SKIPPED: certificates of pebble. It is not installed: apt-get install pebble\n')

const HOST = 'go.pebble-of-ohma.org'
const DAY = 86_400_000

describe.skipIf(!isThere)('with pebble (skipped where it is not installed: apt-get install pebble)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ohma-pebble-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const started: ChildProcess[] = []
  let database: TestDatabase
  let door: Server
  let config: Config
  let management = 0
  let names = 0
  let ca = ''

  beforeAll(async () => {
    database = await cloneDatabase()
    const { db } = database
    door = createServer((request, response) => {
      const token = (request.url ?? '').replace('/.well-known/acme-challenge/', '')
      void findChallenge(db, token, Date.now()).then((answer) => response.writeHead(answer === null ? 404 : 200).end(answer ?? ''))
    })
    await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
    const { port: httpPort } = door.address() as AddressInfo // a TCP server has one
    const [port, dns] = await Promise.all([freePort(), freePort()])
    ;[management, names] = await Promise.all([freePort(), freePort()])
    const req = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost'
    const alternatives = '-addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout own.key -out own.pem'
    openssl(...`${req} ${alternatives}`.split(' '))
    ca = readFileSync(join(folder, 'own.pem'), 'utf8')
    const listening = { listenAddress: `127.0.0.1:${port}`, managementListenAddress: `127.0.0.1:${management}` }
    const pebble = { ...listening, certificate: 'own.pem', privateKey: 'own.key', httpPort, tlsPort: 1 }
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ pebble }))
    const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
    start(PEBBLE[1]!, ['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${names}`, ...none])
    start(PEBBLE[0]!, ['-config', 'config.json', '-strict', '-dnsserver', `127.0.0.1:${dns}`])
    await until('pebble answers', () => read(port, '/dir').then(Boolean, () => false))
    // it shows a certificate of its own making, which nobody else has to trust
    acme.axios.defaults.httpsAgent = new Agent({ ca })
    const directory = `https://localhost:${port}/dir`
    config = readConfig({ DATABASE_URL: database.url, TLS: 'acme', ACME_URL: directory, ACME_EMAIL: 'ops@pebble-of-ohma.org' }, 'test')
  }, 60_000)

  afterAll(async () => {
    for (const child of started) child.kill()
    door?.close()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  function start(file: string, parts: string[]): void {
    const env = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20', PEBBLE_AUTHZREUSE: '0' }
    started.push(spawn(file, parts, { cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' }))
  }

  function read(port: number, path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, ca }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve(text))
      }).on('error', reject)
    })
  }

  async function addDomain(host: string): Promise<void> {
    const now = new Date()
    const values = {
      host,
      kind: 'tracking' as const,
      certificate: 'acme' as const,
      token: 'x',
      verified_at: now,
      verified_by: 'dns' as const,
    }
    await database.db
      .insertInto('domain')
      .values({ ...values, created_at: now, updated_at: now })
      .execute()
  }

  const certificate = (host: string) => database.db.selectFrom('certificate').selectAll().where('host', '=', host).executeTakeFirstOrThrow()

  it('gets a certificate that browsers would trust, and another one when it is time', async () => {
    await addDomain(HOST)
    expect(await getDueCertificate({ db: database.db, config }, Date.now())).toBe(1)
    const got = await certificate(HOST)
    expect(got).toMatchObject({ error: '', failures: 0 })
    const [leaf, signer] = got.chain!.split(/(?<=-----END CERTIFICATE-----\n)/).map((pem) => pem.trim() && new X509Certificate(pem))
    const root = new X509Certificate(await read(management, '/roots/0'))
    if (!leaf || !signer) throw new Error('the chain is short')
    expect(leaf.checkHost(HOST)).toBe(HOST)
    expect([leaf.verify(signer.publicKey), signer.verify(root.publicKey)]).toEqual([true, true])
    const key = openSealer(config.secretKey, 'certificate').open(got.sealed!)
    expect(key).toContain('PRIVATE KEY')

    expect(await getDueCertificate({ db: database.db, config }, Date.now() + DAY)).toBe(0)
    expect(await getDueCertificate({ db: database.db, config }, got.due_at.getTime() + 1)).toBe(1)
    const next = await certificate(HOST)
    expect(next.error).toBe('')
    expect(new X509Certificate(next.chain!).serialNumber).not.toBe(leaf.serialNumber)
  })

  it('says in the words of the authority why a name gets none, and gets it once that is mended', async () => {
    const host = 'away.pebble-of-ohma.org'
    const lead = (path: string, body: object) => fetch(`http://127.0.0.1:${names}/${path}`, { method: 'POST', body: JSON.stringify(body) })
    await lead('add-a', { host: `${host}.`, addresses: ['127.0.0.3'] })
    await addDomain(host)
    const begin = Date.now()
    expect(await getDueCertificate({ db: database.db, config }, begin)).toBe(1)
    const failed = await certificate(host)
    expect(failed).toMatchObject({ failures: 1, chain: null })
    expect(failed.error).toMatch(/connect|refused|Fetching/i)
    await lead('clear-a', { host: `${host}.` })
    expect(await getDueCertificate({ db: database.db, config }, failed.due_at.getTime() + 1)).toBe(1)
    expect(await certificate(host)).toMatchObject({ failures: 0, error: '' })
  })
})
