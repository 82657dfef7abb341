import type { CallStatus } from '#contract/leads/call-status.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { log } from '#server/platform/log.ts'
import type { PulledRow } from '#server/rules/lead/integration/read-rows.ts'
import { normalStatus, readStatus, wordsOf } from '#server/rules/lead/integration/status-word.ts'
import { toldRows } from '#server/rules/lead/integration/told-rows.ts'
import { keepListed, settleListed } from '../stuck/keep.service.ts'
import { applyListed } from './apply-listed.service.ts'
import { isAboutMoney } from './apply-status.service.ts'
import { findSend, type SentLead } from './status.queries.ts'
import { listMeanings } from './word.queries.ts'

type Parts = Parameters<typeof applyListed>[0] & { clock: { now(): number } }
/** How a system is spoken to that is asked. */
export type PulledSpec = IntegrationSpec & { pull: NonNullable<IntegrationSpec['pull']> }
/** Leads whose last word was heard by this pull. */
export type Heard = Set<string>

/** Applies what rows of a list say of our leads, lead by lead; one that fails is told of, and keeps none of the others. */
export async function applyRows(
  parts: Parts,
  productId: number,
  spec: PulledSpec,
  rows: readonly PulledRow[],
  found: { matched: number; failed: string[] },
  heard: Heard,
): Promise<void> {
  const failed = (error: unknown, uuid: string) => {
    log.error({ err: error, product: productId, send: uuid }, 'what a list says of a lead was not applied')
    found.failed.push(uuid)
  }
  for (const [id, told] of Map.groupBy(rows, (row) => row.id)) {
    let uuid = ''
    try {
      const send = await findSend(parts.db, productId, spec.pull.id_is === 'lead_id' ? { uuid: id } : { externalId: id })
      if (send === undefined) continue
      found.matched += told.length
      uuid = send.uuid
      for (const row of await chosenRows(parts, spec, send, told, heard))
        await applyRow(parts, productId, spec, send, row).catch((error: unknown) => failed(error, send.uuid))
    } catch (error) {
      failed(error, uuid)
    }
  }
}

/** Which of a lead's rows are applied; what a later list of the same pull says of one that was heard is older, and counts where it is money. */
async function chosenRows(parts: Parts, spec: PulledSpec, send: SentLead, rows: readonly PulledRow[], heard: Heard): Promise<PulledRow[]> {
  const wasHeard = heard.has(send.id)
  heard.add(send.id)
  if (rows.length === 1 && !wasHeard) return [...rows]
  const words = wordsOf(spec.statuses, send.type)
  const mapped = await listMeanings(
    parts.db,
    send.integration_id,
    rows.map(({ status }) => normalStatus(status)),
  )
  const meaningOf = ({ status }: PulledRow): CallStatus | undefined => readStatus(status, words) ?? mapped.get(normalStatus(status))
  const isMoney = (row: PulledRow) => row.isSale || isAboutMoney(meaningOf(row))
  return toldRows(rows, isMoney).filter((row) => !wasHeard || row.nameless || row.transaction !== '' || isMoney(row))
}

async function applyRow(parts: Parts, productId: number, spec: PulledSpec, send: SentLead, row: PulledRow): Promise<void> {
  const now = parts.clock.now()
  // several payments without a name: nobody could tell one from another, nor which of them was told before
  if (row.nameless) return keepListed(parts.db, productId, send.id, row, 'deposit_unclear', new Date(now))
  const outcome = await applyListed(parts, { send, productId, spec }, row, 'pull', now)
  if (outcome === 'applied' && row.transaction !== '') await settleListed(parts.db, productId, row, new Date(now))
}
