import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line } from '#contract/fields.ts'
import { madeCall } from './product.ts'

/** What a look at the advertiser's own list came to: it has the lead; it does not name it; it could not be asked. */
export const LOOK_UP_RESULTS = ['accepted', 'unknown', 'failed'] as const

/** Why the advertiser's list cannot be looked up for a lead; '' = it can. */
export const NO_LOOK_UP = ['', 'no_pull', 'no_id'] as const

const note = line(300).default('')
const changed = z.object({ /** 0: somebody decided the same before. */ changed: z.int() })

/** Sends nobody knows the answer of: a person says what became of them. Each by the uuid of the send, of advertisers in the own scope. */
export const quarantineApi = {
  calls: endpoint({
    method: 'GET',
    path: '/api/quarantine/v1/calls/:uuid',
    access: 'lead.decide',
    key: 'never',
    summary: 'What was sent to the advertiser and what it answered, without account, person and links; empty once it is kept no longer.',
    params: byUuid,
    response: z.object({ list: z.array(madeCall) }),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/quarantine/v1/accept/:uuid',
    access: 'lead.decide',
    summary: 'Says that the advertiser has the lead: it is booked as any other that was accepted.',
    params: byUuid,
    body: z.object({
      /** What the advertiser calls it, so that what it says later is understood. */
      external_id: line(200).default(''),
      note,
    }),
    response: changed,
  }),
  reject: endpoint({
    method: 'POST',
    path: '/api/quarantine/v1/reject/:uuid',
    access: 'lead.decide',
    summary: 'Says that the advertiser does not have the lead: its place is free again, and it is offered to the next.',
    params: byUuid,
    body: z.object({ note }),
    response: changed,
  }),
  lookUp: endpoint({
    method: 'POST',
    path: '/api/quarantine/v1/look-up/:uuid',
    access: 'lead.decide',
    summary: 'Asks the advertiser’s own list about the lead: where it is on it, it was accepted.',
    params: byUuid,
    response: z.object({ result: z.enum(LOOK_UP_RESULTS), /** What went wrong. */ error: z.string() }),
  }),
}
