import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { log } from '#server/platform/log.ts'
import { answerPlainly, namedVerdict, openPlainState, readBody, type PlainState } from '../mock-advertiser.ts'
import { seededRandom } from '../random.ts'
import { BROKEN, SYSTEMS, type Said } from '../leads/systems.ts'
import type { Seller } from '../leads/offers.ts'
import { OPEN_HOST, SELLERS } from './hosts.ts'
import type { TakenLeads } from './taken-leads.queries.ts'

const DAY = 86_400_000
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i

/** Answers for every advertiser of the demo network, by the host that was called. */
export async function serveDemoAdvertisers(leads: TakenLeads, port: number): Promise<{ close(): Promise<void> }> {
  const plain = openPlainState()
  const server = createServer((request, response) => {
    answer({ leads, plain }, request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a mock advertiser could not answer')
      response.destroy()
    })
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', listening)
  })
  return {
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function answer({ leads, plain }: { leads: TakenLeads; plain: PlainState }, request: IncomingMessage, response: ServerResponse) {
  const host = request.headers.host ?? ''
  const body = await readBody(request)
  if (host === OPEN_HOST) return answerPlainly(plain, request, body, response)
  const seller = SELLERS.get(host)
  if (seller === undefined) return void response.writeHead(404).end()
  const { account, list } = SYSTEMS[seller.system]
  const address = decodeURIComponent((request.url ?? '').replaceAll('+', ' '))
  const text = `${JSON.stringify(request.headers)} ${address} ${body}`
  const keys = Object.values(account).filter((value) => value.startsWith('demo-'))
  if (!keys.some((key) => text.includes(key))) return say(response, { status: 401, type: 'text/plain', body: 'wrong account' })
  const isQuestion = list !== undefined && (request.method === 'GET' || address.includes('/pull/'))
  if (isQuestion) return say(response, list(await askedFor(leads, host, `${address} ${body}`)))
  const said = take(seller, text)
  if (said === null) return
  say(response, said)
}

/** The leads of a question, which names days, and perhaps a page. */
async function askedFor(leads: TakenLeads, host: string, question: string) {
  const days = question.match(/\d{4}-\d{2}-\d{2}/g) ?? []
  const [from = 0, to = Date.now()] = days.map((day) => Date.parse(day))
  const { pages = { first: 0, size: 5000 } } = SYSTEMS[SELLERS.get(host)?.system ?? 'desk']
  const page = Number(/[?&"]page"?[=:]"?(\d+)/.exec(question)?.[1] ?? pages.first)
  const found = await leads.list(host, { from, to: to + DAY, skip: (page - pages.first) * pages.size, most: pages.size })
  return found.map(({ id, leadId, steps }) => {
    const last = steps.findLast(({ at }) => at <= Date.now())
    return { id, leadId, word: last?.word ?? 'New', sale: last?.sale ?? false, amount: last?.amount ?? '' }
  })
}

/** What becomes of a lead: what the person's first name says, else by chance that is the same whenever it is asked; null = no answer. */
function take({ system, says }: Seller, text: string): Said | null {
  const { answer: speak, newId, refusals } = SYSTEMS[system]
  const random = seededRandom(Number.parseInt((UUID.exec(text)?.[0] ?? '0').slice(0, 8), 16))
  const drawn = random.next() * 100
  const { rejected, duplicate } = says
  const byChance = drawn < rejected ? 'rejected' : drawn < rejected + duplicate ? 'duplicate' : 'accepted'
  const verdict = namedVerdict(text) ?? (text.includes('Ohma') ? 'accepted' : byChance)
  if (verdict === 'silent') return null
  if (verdict === 'broken') return BROKEN
  return speak(verdict, { id: newId(random.bits()), why: random.pick(refusals) })
}

function say(response: ServerResponse, { status, type, body }: Said): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}
