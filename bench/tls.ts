import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { freePort } from '#server/platform/process/free-port.ts'
import { makeCertificate } from '#test/support/make/certificate.ts'
import { median, printTable } from './figures.ts'
import { benchSnapshot } from './load/links.ts'
import { startBare, startBenchTracker, type MeasuredServer } from './load/server.ts'

// npm run bench -- tls [--rounds=10] [--clicks=600]
//
// A click over a fresh TLS connection, whole handshake and no ticket, against a bare node:https redirect with the same key and
// certificate (P-256); both on core 0, loaded in turn in short slices. The figure that travels is CPU per click: ours ÷ bare.

const NAME = 'go.bench.example'
const AT_ONCE = 16

/** Runs the bench: prints the ratio of each round and the median. */
export async function run(args: string[]): Promise<void> {
  const given = new Map(args.map((argument) => argument.replace(/^--/, '').split('=') as [string, string | undefined])) // split gives at least one
  const rounds = Number(given.get('rounds') ?? 10)
  const clicks = Number(given.get('clicks') ?? 600)
  const folder = mkdtempSync(join(tmpdir(), 'bench-tls-'))
  const files = join(folder, 'certificates')
  mkdirSync(files)
  const [key, cert] = [join(files, 'go.key'), join(files, 'go.crt')]
  const made = await makeCertificate(NAME)
  writeFileSync(key, made.key)
  writeFileSync(cert, made.cert)
  const [httpsPort, httpPort] = [await freePort(), await freePort()]
  const tls = {
    TLS: 'files',
    TLS_FILES: files,
    HTTPS_PORT: String(httpsPort),
    HTTP_PORT: String(httpPort),
    HOST: '127.0.0.1',
    TRUST_PROXY: '',
  }
  const ours = await startBenchTracker(folder, benchSnapshot(0), 'group', '0', tls)
  const bare = await startBare('0', { KEY: key, CERT: cert })
  const path = '/click?offer_id=3&pid=1&sub1=a&sub2=b'
  try {
    const cost = async (server: MeasuredServer, port: number) => {
      const before = server.cpu()
      await load(port, path, clicks)
      return ((server.cpu() - before) / clicks) * 1e6
    }
    await cost(ours, httpsPort)
    await cost(bare, bare.port)
    const rows: [string, string, string][] = []
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const [first, one, last] = [await cost(bare, bare.port), await cost(ours, httpsPort), await cost(bare, bare.port)]
      const yardstick = (first + last) / 2
      ratios.push(one / yardstick)
      rows.push([one.toFixed(0), yardstick.toFixed(0), (one / yardstick).toFixed(2)])
    }
    printTable('a fresh TLS click: µs of CPU, ours / bare node:https', [['ours', 'bare', 'ours ÷ bare'], ...rows])
    console.log(`median ${median(ratios).toFixed(2)} (goal: at most 1.5)`)
  } finally {
    await Promise.all([ours.stop(), bare.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** So many clicks, each on a connection of its own that ends with its answer; every answer must be a redirect. */
async function load(port: number, path: string, clicks: number): Promise<void> {
  let left = clicks
  const one = async () => {
    const socket = connect({ host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false })
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${NAME}\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36\r\nAccept-Language: en\r\nConnection: close\r\n\r\n`,
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    if (!answer.toString('latin1').startsWith('HTTP/1.1 302')) throw new Error(`no redirect but ${answer.toString('latin1').slice(0, 60)}`)
    socket.destroy()
  }
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await one()
    }),
  )
}
