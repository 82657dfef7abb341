import { leadApi } from '#contract/leads/lead.ts'
import { leadOf } from '#test/support/make/leads.ts'
import { caller } from '#test/support/run/api.ts'

/** So many leads one after the other, those of nobody who came before: to the API, or to the mock advertiser itself. */
export type SendOrder = { leads: number; offer: string } & (
  | { to: 'api'; address: string; token: string }
  | { to: 'mock'; host: string; key: string }
)

// Who sends leads one by one, as a process of its own: answers each order with how long each lead took, in ms.
let people = 0
process.on('message', (order: SendOrder) => void send(order).then((took) => process.send?.(took)))
process.send?.('ready')

async function send(order: SendOrder): Promise<number[]> {
  const ask = order.to === 'api' ? askApi(order) : askMock(order)
  const took: number[] = []
  for (let sent = 0; sent < order.leads; sent++) {
    const number = ++people
    const lead = leadOf(order.offer, { email: `one.${number}@mail.example`, phone: `+3933322${String(10_000 + number)}` })
    const since = performance.now()
    await ask(lead)
    took.push(performance.now() - since)
  }
  return took
}

type Ask = (lead: ReturnType<typeof leadOf>) => Promise<unknown>

function askApi({ address, token }: SendOrder & { to: 'api' }): Ask {
  const call = caller(address, token)
  return async (lead) => {
    const { status } = await call(leadApi.send, { body: lead })
    if (status !== 201) throw new Error(`a lead was answered ${status}`)
  }
}

/** A connection a call, as ours are. */
function askMock({ host, key }: SendOrder & { to: 'mock' }): Ask {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' }
  return async (lead) => (await fetch(`${host}/leads`, { method: 'POST', headers, body: JSON.stringify(lead) })).text()
}
