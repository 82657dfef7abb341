import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { seededRandom } from '../random.ts'
import type { DrawnSend, DrawnSession } from './drawn.ts'

const MINUTE = 60_000
/** Where those are who open a link from elsewhere than their lead says. */
const ELSEWHERE = ['DE', 'NL', 'US', 'PL']

/** Who went on to the advertiser that took them, most from where their lead came from; the links themselves are nobody's any more. */
export async function storeVisits(
  trx: Trx,
  sends: readonly { session: DrawnSession; send: DrawnSend }[],
  sendIds: ReadonlyMap<string, string>,
  now: number,
): Promise<void> {
  const led = sends.filter(
    ({ session, send }) => send.status === 'accepted' && send.judged.extracted.redirect_url !== undefined && session.cold === null,
  )
  await insertRows(
    trx,
    'lead_entry',
    led.flatMap(({ session, send }) => {
      const random = seededRandom(Number.parseInt(send.uuid.replaceAll('-', '').slice(-8), 16))
      const usedAt = send.answeredAt + random.whole(2, 300) * 1000
      if (usedAt > now || !random.chance(0.8)) return []
      const country = random.chance(0.05) ? random.pick(ELSEWHERE) : session.person.person.country
      const otherCountry = country !== session.person.person.country
      return {
        token_hash: Buffer.from(send.uuid.replaceAll('-', '').repeat(2), 'hex'),
        send_id: sendIds.get(send.uuid),
        expires_at: new Date(send.answeredAt + 30 * MINUTE),
        used_at: new Date(usedAt),
        country,
        other_country: otherCountry,
        other_address: otherCountry || random.chance(0.12),
        other_agent: (session.sealedTold['user_agent'] ?? '') === '' ? null : random.chance(0.06),
      }
    }),
  )
}
