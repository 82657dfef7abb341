import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { frontState, type FrontState } from '#contract/network/front.ts'
import type { Config } from '#server/platform/config.ts'
import { log } from '#server/platform/log.ts'
import { readCertificateFiles } from '#server/platform/tls/certificate-files.ts'
import { openCertificates, type Certificate } from '#server/platform/tls/certificates.ts'
import { openFront, type Hosts } from '#server/platform/tls/front.ts'
import { askInternal, type InternalApi } from '#server/tracker/internal-api.ts'

/** The api is asked this often which names and certificates there are; what has not changed is not sent. */
const LOOK_MS = 5_000
const ANSWER_MS = 4_000

/**
 * Opens ports 80 and 443 in front of a tracker: what is for the panel is handed to the api on this machine. Which names lead here is kept
 * on disk, with the certificates, for starts while the api is down.
 */
export async function runFront(config: Config, api: InternalApi | null, tracker: Server): Promise<{ stop(): Promise<void> }> {
  const { tls } = config
  const copy = join(config.dataDir, 'run', 'front.json')
  const certificates = openCertificates()
  let state = readCopy(copy)
  let hosts = hostsOf(config, state)
  const files = () => (tls.files === null ? [] : filesIn(tls.files))
  let used = ''
  const take = () => {
    const all = [...state.certificates, ...files()]
    const mark = JSON.stringify(all)
    hosts = hostsOf(config, state)
    if (mark === used) return
    used = mark
    certificates.replace(all)
  }
  take()

  const front = openFront({
    certificates,
    hosts: () => hosts,
    tracker,
    panel: { port: config.port },
    trusted: config.trustProxy,
    plainClicks: tls.plainClicks,
    httpsPort: () => tls.httpsPort,
    ticketSecret: config.internalSecret,
    findChallenge: async (token) => {
      if (api === null) return null
      const answer = await askInternal(api, `/internal/challenge?token=${encodeURIComponent(token)}`, {
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      return answer.status === 200 ? answer.text() : null
    },
  })
  const listening = (server: typeof front.secure | typeof front.plain, port: number) => {
    server.listen({ port, host: tls.host, reusePort: config.trackers > 1, backlog: 4096 })
    return once(server, 'listening')
  }
  await Promise.all([listening(front.secure, tls.httpsPort), listening(front.plain, tls.httpPort)])
  log.info({ https: tls.httpsPort, http: tls.httpPort, mode: tls.mode }, 'the doors are open')

  const stopping = new AbortController()
  const following = follow(stopping.signal, async () => {
    try {
      const next = api === null ? null : await fetchState(api, JSON.stringify(state))
      if (next !== null) {
        state = next
        await writeCopy(copy, next)
      }
    } finally {
      // files are read anew while the api is away, too
      take()
    }
  })
  return {
    async stop() {
      stopping.abort()
      front.stop()
      await following
    },
  }
}

/** The names of the configuration, and those of the network: what is configured for one is never for the other. */
function hostsOf({ publicUrl, trackingUrl }: Config, state: FrontState): Hosts {
  const configured = (url: string) => (url.startsWith('https:') ? [new URL(url).hostname] : [])
  const [panel, tracking] = [configured(publicUrl), configured(trackingUrl)]
  const without = (hosts: string[], taken: string[]) => hosts.filter((host) => !taken.includes(host))
  return {
    panel: new Set([...panel, ...without(state.panel, tracking)]),
    tracking: new Set([...tracking, ...without(state.tracking, panel)]),
  }
}

async function fetchState(api: InternalApi, known: string): Promise<FrontState | null> {
  const answer = await askInternal(api, '/internal/front', { signal: AbortSignal.timeout(ANSWER_MS) })
  if (answer.status !== 200) return null
  const next = frontState.parse(await answer.json())
  return JSON.stringify(next) === known ? null : next
}

/** Looks now and then until it is stopped; an api that is away is looked for again. */
async function follow(stopped: AbortSignal, look: () => Promise<void>): Promise<void> {
  while (!stopped.aborted) {
    await look().catch((error: unknown) => log.debug({ err: error }, 'the names and certificates could not be read'))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS)
      stopped.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    })
  }
}

function filesIn(folder: string): Certificate[] {
  try {
    return readCertificateFiles(folder)
  } catch (error) {
    log.error({ err: error, folder }, 'the certificates in TLS_FILES cannot be read')
    return []
  }
}

function readCopy(path: string): FrontState {
  try {
    return frontState.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return { panel: [], tracking: [], certificates: [] }
  }
}

/** Several trackers may write it at once, all the same. */
async function writeCopy(path: string, state: FrontState): Promise<void> {
  const half = `${path}.${process.pid}.part`
  await writeFile(half, JSON.stringify(state), { mode: 0o600 })
  await rename(half, path)
}
