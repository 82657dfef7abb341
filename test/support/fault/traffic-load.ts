import { Agent, request } from 'node:http'

export type TrafficPlan = {
  trackerPort: number
  offerId: number
  affiliateId: number
  /** The advertiser's token for postbacks. */
  token: string
  clicksPerSecond: number
  postbacksPerSecond: number
}

/** What visitors and the advertiser saw. A nonce is the click's `sub2` and, with its copies, the postback's transaction id. */
export type Traffic = {
  /** Nonces of every click that was sent. */
  sent: Set<string>
  /** Click ids of the clicks that were redirected, by nonce. */
  redirected: Map<string, string>
  /** Clicks whose connection broke: they may be stored or not. */
  broken: number
  /** Answers that were neither a redirect to the offer nor, for a postback, 200 or 202. */
  wrong: string[]
  /** Milliseconds of each redirect. */
  latencies: number[]
  /** Transactions whose postback was taken. */
  transactions: Set<string>
  /** Postbacks that were taken, copies included: applied (200) or waiting for their click (202), and those the tracker keeps for the api (202). */
  postbacks: { settled: number; queued: number }
}

/** A fifth of what the torture sends: enough to have some under way at every moment. */
export const CLICKS_PER_SECOND = process.env['TORTURE'] ? 300 : 60

const TICK_MS = 10
/** Each fourth postback comes a second time, up to this much later. */
const COPY_WITHIN_MS = 3_000

/**
 * Constant traffic: clicks with a nonce each, and a postback for some of them at once after their redirect. The advertiser
 * sends a postback again when its connection broke, as advertisers do. `stop` sends no more and waits for every answer.
 */
export function startTraffic(plan: TrafficPlan): { seen: Traffic; stop(): Promise<Traffic> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const seen: Traffic = {
    sent: new Set(),
    redirected: new Map(),
    broken: 0,
    wrong: [],
    latencies: [],
    transactions: new Set(),
    postbacks: { settled: 0, queued: 0 },
  }
  const open = new Set<Promise<unknown>>()
  const follow = (work: Promise<unknown>) => {
    open.add(work)
    void work.finally(() => open.delete(work))
  }
  let convertible: string[] = []
  let clicks = 0
  let postbacks = 0
  let stopping = false

  const click = async (nonce: string) => {
    const query = `offer_id=${plan.offerId}&pid=${plan.affiliateId}&sub2=${nonce}`
    const began = performance.now()
    seen.sent.add(nonce)
    const answer = await ask(agent, plan.trackerPort, `/click?${query}`)
    if (answer === null) return void seen.broken++
    const id = new URL(answer.location || 'none:').searchParams.get('c')
    if (answer.status !== 302 || !id) return void seen.wrong.push(`click ${nonce}: ${answer.status} ${answer.location}`)
    seen.latencies.push(performance.now() - began)
    seen.redirected.set(nonce, id)
    convertible.push(nonce)
  }
  const postback = async (nonce: string): Promise<void> => {
    const query = new URLSearchParams({ click_id: seen.redirected.get(nonce) ?? '', token: plan.token, txn_id: nonce })
    for (let tries = 0; ; tries++) {
      const answer = await ask(agent, plan.trackerPort, `/postback?${query}`)
      if (answer === null) {
        if (stopping && tries > 50) return void seen.wrong.push(`postback ${nonce}: nobody answers`)
        await pause(100)
        continue
      }
      if (answer.status !== 200 && answer.status !== 202) return void seen.wrong.push(`postback ${nonce}: ${answer.status} ${answer.body}`)
      seen.postbacks[answer.body === '{"status":"queued"}' ? 'queued' : 'settled']++
      seen.transactions.add(nonce)
      return
    }
  }
  const copy = async (nonce: string, afterMs: number) => {
    if (!stopping) await pause(afterMs)
    await postback(nonce)
  }

  const began = performance.now()
  const timer = setInterval(() => {
    const seconds = (performance.now() - began) / 1000
    for (; clicks < seconds * plan.clicksPerSecond; clicks++) follow(click(`n${clicks}`))
    for (; postbacks < seconds * plan.postbacksPerSecond; postbacks++) {
      const nonce = convertible.pop()
      if (nonce === undefined) continue
      follow(postback(nonce))
      if (postbacks % 4 === 0) follow(copy(nonce, (postbacks * 379) % COPY_WITHIN_MS))
    }
    convertible = convertible.slice(-100)
  }, TICK_MS)
  return {
    seen,
    async stop() {
      stopping = true
      clearInterval(timer)
      while (open.size > 0) await Promise.all(open)
      agent.destroy()
      return seen
    },
  }
}

/** The share of latencies that is at most the answer; `share` is 0.5 for the median. */
export function percentile(latencies: readonly number[], share: number): number {
  return latencies.toSorted((a, b) => a - b)[Math.ceil(latencies.length * share) - 1] ?? 0
}

type Answer = { status: number; location: string; body: string }

/** Null when the connection broke before the answer's head was there. */
function ask(agent: Agent, port: number, path: string): Promise<Answer | null> {
  return new Promise((resolve) => {
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' }
    const call = request({ host: '127.0.0.1', port, agent, path, headers, timeout: 30_000 }, (response) => {
      const status = response.statusCode ?? 0
      const { location = '' } = response.headers
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.once('close', () => resolve({ status, location, body }))
    })
    call.once('timeout', () => call.destroy(new Error('no answer for half a minute')))
    call.once('error', () => resolve(null))
    call.end()
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
