import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { contacts } from '#contract/fields.ts'
import { stored } from '#contract/shape.ts'

/** Whom an affiliate turns to: apart from the managers' own endpoints, its screens need no more of them. */
export const ownManagerApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/manager/v1/own',
    access: 'balance.own',
    summary: 'The name and the contacts of the own manager; null while there is none who works here, or the network shows none.',
    response: z.object({ manager: z.object({ name: z.string(), email: z.string(), ...stored(contacts.shape) }).nullable() }),
  }),
}
