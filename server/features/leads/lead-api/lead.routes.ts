import type { FastifyRequest } from 'fastify'
import { CALL_STATUSES } from '#contract/leads/call-status.ts'
import { LEAD_STATUSES, leadApi, UNSOLD_REASONS } from '#contract/leads/lead.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { routeSendParts } from '../send/send-parts.ts'
import { openLeadVault } from '../session/vault.ts'
import { takeBatch } from './batch.service.ts'
import { cursorOf, findLead, listBookings, listLeads } from './lead.queries.ts'
import { codeOf, presentLead, presentTold } from './lead.present.ts'
import { ownerOf } from './lead-owner.ts'
import { takeLead } from './take.service.ts'
import { tryLead } from './try-lead.service.ts'

/** Leads sent in by affiliates' systems. */
export function routes(app: HttpApp, routeParts: RouteParts): void {
  const { db, config } = routeParts
  const { clock } = app
  const parts = routeSendParts(app, routeParts)
  const panel = openPanelAddress(config)
  const vaultOf = () => openLeadVault(config.secretKey)

  implement(app, leadApi, {
    send: async ({ body, actor, request, reply }) => {
      const input = { ...body, external_id: body.external_id ?? nameOf(request) }
      const { row, known, entry } = await takeLead(parts, panel, ownerOf(actor), input)
      reply.code(codeOf(row.status, known))
      return { ...presentLead(row, known), redirect_url: entry }
    },
    sendBatch: ({ body, actor, request }) => takeBatch(parts, ownerOf(actor), body.leads, nameOf(request, LONGEST_NAME - '-99'.length)),
    check: ({ body, actor }) => tryLead(parts, clock.now(), ownerOf(actor), body),
    detail: async ({ params, actor }) => {
      const row = await findLead(db, ownerOf(actor), params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return presentTold(row, await listBookings(db, affiliateOf(actor), [row.click_id]), vaultOf())
    },
    list: async ({ query, actor }) => {
      const rows = await listLeads(db, ownerOf(actor), query)
      const page = rows.slice(0, query.count)
      const clicks = page.map(({ click_id }) => click_id)
      const booked = await listBookings(db, affiliateOf(actor), clicks)
      const last = page.at(-1)
      const vault = vaultOf()
      return {
        list: page.map((row) => presentTold(row, booked, vault)),
        next: rows.length > page.length && last !== undefined ? cursorOf(last, query.by) : null,
      }
    },
    statuses: async () => ({ statuses: [...LEAD_STATUSES], call_statuses: [...CALL_STATUSES], unsold_reasons: [...UNSOLD_REASONS] }),
  })
}

/** No id of a lead is longer. */
const LONGEST_NAME = 64

/** What a caller named its call by: the lead's own id, where it has no other. Throws `bad_request`. */
function nameOf({ headers }: FastifyRequest, longest = LONGEST_NAME): string | undefined {
  const name = headers['idempotency-key']
  if (name === undefined) return undefined
  if (typeof name === 'string' && /^[\x21-\x7e]+$/.test(name) && name.length <= longest) return name
  throw new AppError('bad_request', { fields: { 'Idempotency-Key': `From 1 to ${longest} letters, digits and signs` } })
}
