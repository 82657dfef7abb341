import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, moment, paragraph, reference, uuid } from '#contract/fields.ts'
import { listOf, paging } from '#contract/paging.ts'
import { CALL_STATUSES } from './call-status.ts'

/** testing: what staff say of a lead counts, and what advertisers say is only noted; live: the advertiser's word counts. */
export const AUTHORITIES = ['testing', 'live'] as const
export const authority = z.enum(AUTHORITIES)
export type Authority = z.output<typeof authority>

const pair = z.object({
  affiliate: reference,
  state: authority,
  changed_at: moment,
  changed_by: z.string().nullable(),
  /** Leads of which advertisers said something meanwhile that was only noted. */
  noted: z.int(),
  /** What was noted is being applied. */
  applying: z.boolean(),
})
export type AuthorityPair = z.output<typeof pair>

/** Whose word counts for the leads an affiliate sends to an API offer. */
export const leadAuthorityApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/lead-authority/v1/list/:uuid',
    access: 'offer.write',
    reads: true,
    summary: 'Affiliates of an API offer that are or were tested, those that are first. Of all others the advertiser’s word counts.',
    params: byUuid,
    body: z.object({ ...paging }),
    response: listOf(pair),
  }),
  set: endpoint({
    method: 'POST',
    path: '/api/lead-authority/v1/set/:uuid',
    access: 'offer.write',
    summary: 'Begins to test an affiliate on an API offer, or goes live: then what advertisers said meanwhile is applied and booked.',
    params: byUuid,
    body: z.object({
      affiliate_uuid: uuid,
      state: authority,
      /** What it was when it was looked at. */
      expected: authority,
    }),
    response: z.object({ changed: z.boolean() }),
  }),
  callStatus: endpoint({
    method: 'POST',
    path: '/api/lead-authority/v1/call-status/:uuid',
    access: 'conversion.decide',
    summary:
      'Says what became of a lead that was taken, as its advertiser would, and books what follows. Where the advertiser’s word counts it takes a reason.',
    params: byUuid,
    body: z.object({
      call_status: z.enum(CALL_STATUSES),
      /** What it was when it was looked at. */
      expected: z.enum(CALL_STATUSES).nullable(),
      reason: paragraph(500).default(''),
    }),
    response: z.object({ call_status: z.enum(CALL_STATUSES) }),
  }),
}
