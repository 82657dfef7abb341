import Papa from 'papaparse'
import { POSTBACK_REFUSALS } from '#contract/traffic/postback-outcome.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { POSTBACK_PATH } from '#server/rules/conversion/postback-hand-over.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { loadClickKeys, type FindClick } from '../click/click.queries.ts'
import { applyReport } from '../conversion/apply-report.service.ts'
import { loadTerms } from '../conversion/terms.queries.ts'
import { isAdvertiserMine, getConversionNames, getIncomingSettings, type IncomingSettings } from './incoming/incoming.queries.ts'
import { identify, interpret } from './incoming/interpret.service.ts'
import { holdRow } from './incoming/hold-row.service.ts'
import { sayRefusal } from './incoming/refused.ts'
import { parsePostback, type PostbackFields } from './incoming/parse.service.ts'

export type ImportResult = { created: number; changed: number; unchanged: number; held: number; failed: { line: number; reason: string }[] }
type Parts = { db: Db; findClick: FindClick }

const MOST_LINES = 2_000

/**
 * Applies a CSV file line by line, each like a postback its sender needs no token for: by `conversion_id`, or by
 * `click_id` (and `transaction_id`), under any of the names postbacks know. Lines of advertisers outside the actor's scope
 * fail like unknown ones; a failed line stops no other. Throws `invalid_input` for a file that is none, or too long.
 */
export async function importConversions(parts: Parts, now: number, actor: Actor, csv: string): Promise<ImportResult> {
  const { data, meta } = Papa.parse<Record<string, string>>(csv.replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim().toLowerCase(),
  })
  if (!meta.fields?.some((name) => name === 'conversion_id' || name === 'click_id' || name === 'clickid' || name === 'cid')) {
    throw new AppError('invalid_input', { fields: { csv: 'The first line must name the columns: conversion_id or click_id, and status' } })
  }
  if (data.length > MOST_LINES) throw new AppError('invalid_input', { fields: { csv: `At most ${MOST_LINES} lines at once` } })
  const [keys, settings] = await Promise.all([loadClickKeys(parts.db, now), getIncomingSettings(parts.db)])
  const result: ImportResult = { created: 0, changed: 0, unchanged: 0, held: 0, failed: [] }
  for (const [index, line] of data.entries()) {
    const outcome = await importLine(parts, now, actor, { keys, settings }, line)
    if (outcome === 'created') result.created++
    else if (outcome === 'changed' || outcome === 'amount_changed') result.changed++
    else if (outcome === 'repeat') result.unchanged++
    else if (outcome === 'held_for_review') result.held++
    // the header is line 1
    else result.failed.push({ line: index + 2, reason: outcome.reason })
  }
  const { failed, ...counts } = result
  await recordAudit(parts.db, actor, now, {
    action: 'import',
    entity: 'conversion',
    entityId: 'csv',
    after: { ...counts, failed: failed.length },
  })
  return result
}

async function importLine(
  { db, findClick }: Parts,
  now: number,
  actor: Actor,
  known: { keys: ClickIdKeys; settings: IncomingSettings },
  line: Record<string, string>,
): Promise<'created' | 'changed' | 'amount_changed' | 'repeat' | 'held_for_review' | { reason: string }> {
  const { conversion_id: conversionId = '', ...rest } = line
  const query = new URLSearchParams(rest).toString()
  const { fields } = parsePostback({
    method: 'GET',
    path: POSTBACK_PATH,
    query,
    body: '',
    content_type: '',
    headers: {},
  })
  // of an API offer only the conversion says whose terms they are
  let advertiserId: number | null = null
  if (conversionId.trim() !== '') {
    const named = await fieldsOfConversion(db, actor.scope, conversionId.trim())
    if (named === undefined) return { reason: 'No such conversion.' }
    const { said, advertiser, ...others } = named
    advertiserId = advertiser
    Object.assign(fields, { ...others, said: [...fields.said.filter(({ kind }) => kind !== 'goal' && kind !== 'event?'), ...said] })
  }
  const identified = await identify(db, known.keys, fields, async (id) => (await loadTerms(db, [id], advertiserId)).get(id))
  if ('refusal' in identified) return { reason: sayRefusal(identified) }
  if (!(await isAdvertiserMine(db, actor.scope, identified.terms.advertiser_id))) return { reason: POSTBACK_REFUSALS.click_id_unknown.text }
  const interpreted = await interpret(db, identified, fields, known.settings)
  if ('refusal' in interpreted) return { reason: sayRefusal(interpreted) }
  const click = await findClick(identified.parts)
  if (click?.test) return { reason: 'A test click never becomes money.' }
  if (click !== null && click.reason !== '') return { reason: POSTBACK_REFUSALS.click_refused.text }
  const outcome = await db.transaction().execute(async (trx) => {
    const settled = (await interpreted.underLocks?.(trx)) ?? interpreted
    if ('refusal' in settled) return { ...settled, outcome: 'refused' as const, reason: settled.refusal }
    const { of, report } = settled
    const told = report.reason === '' ? report : { ...report, reason: fields.reason || 'by_import' }
    const change = { at: now, now, origin: 'import', actorId: actor.accountId } as const
    const done = await applyReport(trx, of, click && { ...click, id: of.clickId }, told, change)
    if (done.outcome === 'held_for_review') await holdRow(trx, now, settled, done)
    return done
  })
  if (outcome.outcome === 'refused') return { reason: sayRefusal({ ...outcome, refusal: outcome.reason }) }
  if (outcome.outcome === 'declined') return { reason: 'A cap of the offer is full: the conversion stays declined.' }
  if (outcome.outcome === 'click_needed') return { reason: 'The click is not stored.' }
  return outcome.outcome
}

/** What identifies a conversion in scope given by uuid or number, as the fields of a postback, and whose it is. */
async function fieldsOfConversion(
  db: Db,
  scope: Scope,
  key: string,
): Promise<(Pick<PostbackFields, 'click_id' | 'said' | 'txn_id'> & { advertiser: number }) | undefined> {
  if (!/^(\d{1,15}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(key)) return undefined
  const row = await getConversionNames(db, scope, key)
  return (
    row && {
      click_id: row.click_id,
      said: [{ kind: 'goal', name: 'conversion_id', value: row.goal }],
      txn_id: row.transaction_id ?? '',
      advertiser: row.advertiser_id,
    }
  )
}
