import { setTimeout } from 'node:timers/promises'
import { ERRORS } from '#contract/errors.ts'
import { CALL_STATUSES } from '#contract/leads/call-status.ts'
import { LEAD_STATUSES, leadApi, type LeadStatus } from '#contract/leads/lead.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { log } from '#server/platform/log.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { makeEntry } from '../entry/entry.service.ts'
import { sendLead } from '../send/send-lead.service.ts'
import { receiveLead, tryLead } from '../session/receive.service.ts'
import { cursorOf, findLead, listLeads } from './lead.queries.ts'
import { presentLead } from './lead.present.ts'

/** Who sends a lead waits so long for what becomes of it; it is offered on after that. */
const BUDGET = 20_000

/** Leads sent in by affiliates' systems. */
export function routes(app: HttpApp, { db, config, policy, clickhouse }: RouteParts): void {
  const { clock } = app
  const parts = {
    db,
    secretKey: config.secretKey,
    policy,
    clock,
    findClick: openClickFinder(clickhouse),
    underWay: new Map<number, number>(),
  }

  const panel = openPanelAddress(config)

  implement(app, leadApi, {
    send: async ({ body, actor, reply }) => {
      const affiliateId = affiliateOf(actor)
      const { session, known } = await receiveLead(parts, clock.now(), { affiliateId, origin: 'api' }, body)
      if (!known && session.status === 'received') await withinBudget(sendLead(parts, session.id))
      const row = (await findLead(db, affiliateId, session.uuid)) ?? session
      reply.code(codeOf(row.status, known))
      const token = !known && row.status === 'accepted' ? await makeEntry(db, row.id, clock.now()) : null
      return { ...presentLead(row), redirect_url: token === null ? null : `${await panel(db)}/in/${token}` }
    },
    sendBatch: async ({ body, actor }) => {
      const affiliateId = affiliateOf(actor)
      const list = []
      for (const one of body.leads) {
        try {
          const { session, known } = await receiveLead(parts, clock.now(), { affiliateId, origin: 'api' }, one)
          list.push({ code: codeOf(session.status, known), lead: presentLead(session), error: null, fields: {} })
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          list.push({ code: ERRORS[error.code].status, lead: null, error: error.message, fields: error.fields ?? {} })
        }
      }
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

/** Whatever becomes of it, the lead is kept: a failure here leaves it to a worker. */
async function withinBudget(sending: Promise<void>): Promise<void> {
  const settled = sending.catch((error: unknown) => log.error({ err: error }, 'a lead was not offered at once'))
  const over = new AbortController()
  await Promise.race([settled, setTimeout(BUDGET, undefined, { signal: over.signal }).catch(() => undefined)])
  over.abort()
}
