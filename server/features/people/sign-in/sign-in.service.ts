import { createHmac, hkdfSync } from 'node:crypto'
import type { z } from 'zod'
import { SIGN_IN_DAYS, type SIGN_IN_OUTCOMES, type SIGN_IN_WAYS, type signInEntry } from '#contract/people/sign-in.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { tellOne } from '#server/features/network/notification/tell.queries.ts'
import { readableAddress } from '#server/platform/address.ts'
import { findPlaces } from '#server/platform/geo/place.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { describeUserAgent } from '#server/rules/click/user-agent.ts'
import { deviceName, tellOwner } from '../auth/tell-owner.service.ts'
import { hasDevices, insertSignIn, keepDevice, listSignIns } from './sign-in.queries.ts'

const DAY = 86_400_000

export type Way = (typeof SIGN_IN_WAYS)[number]
type Failure = Exclude<(typeof SIGN_IN_OUTCOMES)[number], 'in'>
type From = { address: string; device: string }

export type SignIns = {
  /** Books a try that failed; `accountId` is null for an address nobody has. */
  failed(db: DbOrTrx, now: number, accountId: number | null, how: { outcome: Failure; way: Way }, from: From): Promise<void>
  /** Books who came in, and tells them of a device that has not been seen before, unless it is the first of all. */
  came(trx: Trx, now: number, accountId: number, way: Way, from: From): Promise<void>
}

/** The history of sign-ins. Devices are known again by a mark that says nothing without the instance's key. */
export function openSignIns(secretKey: string | null): SignIns {
  const key = Buffer.from(hkdfSync('sha256', secretKey ?? '', '', 'ohma device of a sign-in', 32))
  const mail = openMailQueue(secretKey)
  return {
    failed: (db, now, accountId, how, from) => insertSignIn(db, entryOf(now, accountId, from, how)),
    async came(trx, now, accountId, way, from) {
      const isFirst = !(await hasDevices(trx, accountId))
      const isFresh = await keepDevice(trx, { account_id: accountId, mark: markOf(key, accountId, from), seen_at: new Date(now) })
      const new_device = isFresh && !isFirst
      await insertSignIn(trx, { ...entryOf(now, accountId, from, { outcome: 'in', way }), new_device })
      if (!new_device) return
      const place = await placeOf(from.address)
      const reason = [deviceName(from.device), from.address, place].filter(Boolean).join(' · ')
      await tellOne(trx, now, accountId, { kind: 'new_device', reason })
      await tellOwner(trx, now, accountId, { ...from, mail }, { event: 'new_device', values: { place: place || '–' } })
    },
  }
}

/** One page of somebody's history, with where the addresses are. */
export async function historyOf(db: Db, now: number, accountId: number, page: { count: number; page: number }) {
  const { rows, list } = await listSignIns(db, accountId, new Date(now - SIGN_IN_DAYS * DAY), page)
  const addresses = [...new Set(list.map(({ address }) => address))]
  const places = new Map((await findPlaces(addresses)).map((place, index) => [addresses[index], place]))
  const entries = list.map(({ at, ...row }): z.input<typeof signInEntry> => ({
    ...row,
    at: at.toISOString(),
    ...(places.get(row.address) ?? { country: '', city: '' }),
  }))
  return { list: entries, summary: { rows } }
}

function entryOf(
  now: number,
  account_id: number | null,
  { address, device }: From,
  { outcome, way }: { outcome: Failure | 'in'; way: Way },
) {
  return { account_id, at: new Date(now), outcome, way, device: device.slice(0, 300), address: address.slice(0, 60) }
}

/** Browser and system without their versions, and the network of the address: a device stays itself through updates and a new lease. */
function markOf(key: Buffer, accountId: number, { address, device }: From): Buffer {
  const { browser, os } = describeUserAgent(device)
  return createHmac('sha256', key)
    .update([accountId, browser, os, readableAddress(address, true)].join('\n'))
    .digest()
}

async function placeOf(address: string): Promise<string> {
  const [{ country, city } = { country: '', city: '' }] = await findPlaces([address])
  return [city, country].filter(Boolean).join(', ')
}
