import { z } from 'zod'
import { paymentSetting } from '#contract/money/payment.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { openMarker } from './mark.ts'
import { listUnmarked, storeMark } from './payment.queries.ts'

const kept = z.record(z.string(), z.string())

/** Marks methods that were kept before there were marks, some at a time; one that cannot be opened or tells no place gets an empty mark. */
export async function markMethods(db: Db, secretKey: string | null): Promise<void> {
  if (secretKey === null) return
  const { systems } = await getSetting(db, paymentSetting)
  const mark = openMarker(secretKey)
  const sealer = openSealer(secretKey, 'payment method')
  for (const { id, system: code, sealed } of await listUnmarked(db, 500)) {
    const system = systems.find((one) => one.code === code)
    let made: Buffer | null = null
    try {
      if (system !== undefined) made = mark(system, kept.parse(JSON.parse(sealer.open(sealed))))
    } catch {
      // sealed under another key: nobody can tell where it leads
    }
    await storeMark(db, id, sealed, made ?? Buffer.alloc(0))
  }
}
