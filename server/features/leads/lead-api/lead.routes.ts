import { ERRORS } from '#contract/errors.ts'
import { CALL_STATUSES } from '#contract/leads/call-status.ts'
import { LEAD_STATUSES, leadApi, type LeadStatus } from '#contract/leads/lead.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { routeSendParts } from '../send/send-parts.ts'
import { receiveLeads, tryLead } from '../session/receive.service.ts'
import { cursorOf, findLead, listLeads } from './lead.queries.ts'
import { presentLead } from './lead.present.ts'
import { takeLead } from './take.service.ts'

/** Leads sent in by affiliates' systems. */
export function routes(app: HttpApp, routeParts: RouteParts): void {
  const { db, config } = routeParts
  const { clock } = app
  const parts = routeSendParts(app, routeParts)
  const panel = openPanelAddress(config)

  implement(app, leadApi, {
    send: async ({ body, actor, reply }) => {
      const { row, known, entry } = await takeLead(parts, affiliateOf(actor), body)
      reply.code(codeOf(row.status, known))
      return { ...presentLead(row), redirect_url: entry === null ? null : `${await panel(db)}${entry}` }
    },
    sendBatch: async ({ body, actor }) => {
      const received = await receiveLeads(parts, clock.now(), { affiliateId: affiliateOf(actor), origin: 'api' }, body.leads)
      const list = received.map((one) =>
        one instanceof AppError
          ? { code: ERRORS[one.code].status, lead: null, error: one.message, reason: one.values?.code ?? '', fields: one.fields ?? {} }
          : { code: codeOf(one.session.status, one.known), lead: presentLead(one.session), error: null, reason: '', fields: {} },
      )
      return { list }
    },
    check: ({ body, actor }) => tryLead(parts, clock.now(), affiliateOf(actor), body),
    detail: async ({ params, actor }) => {
      const row = await findLead(db, affiliateOf(actor), params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return presentLead(row)
    },
    list: async ({ query, actor }) => {
      const rows = await listLeads(db, affiliateOf(actor), query)
      const page = rows.slice(0, query.count)
      const last = page.at(-1)
      return { list: page.map(presentLead), next: rows.length > page.length && last !== undefined ? cursorOf(last) : null }
    },
    statuses: async () => ({ statuses: [...LEAD_STATUSES], call_statuses: [...CALL_STATUSES] }),
  })
}

/** 202: what becomes of it is not known yet. */
function codeOf(status: LeadStatus, known: boolean): number {
  if (known) return 200
  return ['received', 'queued', 'held', 'ambiguous'].includes(status) ? 202 : 201
}
