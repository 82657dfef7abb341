import { z } from 'zod'
import { addressList } from '#contract/address-list.ts'
import { endpoint } from '#contract/endpoint.ts'
import { uuid } from '#contract/fields.ts'

const allowList = z.object({
  /** Where this person may sign in and work from; none = as the role says. */
  allowed_ips: z.array(z.string()),
  /** What the settings say of the role; none = anywhere. */
  of_role: z.array(z.string()),
  /** The caller's own address, as the server sees it. */
  own_address: z.string(),
})

/** Addresses a member of staff is bound to, whatever those of the role are. */
export const allowListApi = {
  of: endpoint({
    method: 'GET',
    path: '/api/allow-list/v1/of/:uuid',
    access: 'account.security',
    key: 'never',
    summary: 'From where somebody one manages may sign in and work.',
    params: z.object({ uuid }),
    response: allowList,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/allow-list/v1/save/:uuid',
    access: 'account.security',
    key: 'never',
    summary: 'Changes it; refused where the own address would not be on the own list. Holds at once, for open sessions and keys too.',
    params: z.object({ uuid }),
    /** `before` is the list the form was filled from. */
    body: z.object({ allowed_ips: addressList, before: z.array(z.string().max(60)).max(50) }),
    response: allowList,
  }),
}
