import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { requiredLine } from '#contract/fields.ts'

/** Acting as an affiliate begins by looking only: whatever changes something is refused until one has said why. */
export const actingApi = {
  allowChanges: endpoint({
    method: 'POST',
    path: '/api/acting/v1/allow-changes',
    access: 'signedIn',
    key: 'never',
    whileReadOnly: true,
    summary: 'Lets who acts as an affiliate change something in its name; the reason stands in the audit log.',
    body: z.object({ reason: requiredLine(300) }),
    response: z.object({}),
  }),
  onlyLook: endpoint({
    method: 'POST',
    path: '/api/acting/v1/only-look',
    access: 'signedIn',
    key: 'never',
    whileReadOnly: true,
    summary: 'Goes back to looking only.',
    response: z.object({}),
  }),
}
