import { keepBooking, keepCall } from '#server/features/leads/stuck/keep.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import type { DrawnSend, DrawnSession } from './drawn.ts'

const HOUR = 3_600_000

/** What advertisers told of leads lately and a person has to settle: calls nothing could be made of, and a deposit that could not be booked. */
export async function storeStuck(trx: Trx, sessions: readonly DrawnSession[], now: number): Promise<void> {
  const sends = sessions.flatMap((session) => session.sends).filter(({ status }) => status === 'accepted')
  // those who tell by themselves
  const tellers = [
    ...new Map(sends.flatMap((send) => (send.product.spec.pull === null ? [[send.product.id, send] as const] : []))).values(),
  ]
  for (const [at, call] of CALLS.entries()) {
    const send = tellers[at % tellers.length]
    if (send === undefined) continue
    const { reason, ...push } = { ...call, id: call.id === OURS ? send.uuid : call.id }
    const said = { lead_id: push.id, status: push.status, amount: push.amount, email: 'anna@mail.example' }
    const params = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ''))
    for (const ago of call.ago) await keepCall(trx, send.product.id, { push, params }, reason, { at: new Date(now - ago * HOUR) })
  }
  const paid = latest(sends.filter(({ product }) => product.spec.pull !== null && product.seller.story === 'broker'))
  if (paid === undefined) return
  const deposit = { goal: 'paid', status: 'approved', amount: '380 AUD', transaction: 'TX-88213' }
  await keepBooking(trx, paid.uuid, deposit, 'rate_missing', new Date(now - 3 * HOUR))
}

const latest = (sends: readonly DrawnSend[]) => sends.toSorted((a, b) => b.askedAt - a.askedAt)[0]

/** Stands for the id of a lead they have. */
const OURS = 'ours'

/** How many hours ago each was told. */
const CALLS = [
  { id: 'A-7741029', status: 'lead', amount: '', transaction: '', reason: 'lead_unknown', ago: [52, 27, 4] },
  { id: '', status: 'reject', amount: '', transaction: '', reason: 'lead_missing', ago: [31] },
  { id: OURS, status: '', amount: '', transaction: '', reason: 'status_missing', ago: [19] },
  { id: OURS, status: 'lead', amount: '1.250,00 or 1250', transaction: '', reason: 'amount', ago: [6] },
] as const
