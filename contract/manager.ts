import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { line, reference } from './fields.ts'

export const managerApi = {
  options: endpoint({
    method: 'POST',
    path: '/api/manager/v1/options',
    access: 'affiliate.read',
    summary: 'Managers to choose from, in the own scope; at most 50.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({ list: z.array(reference) }),
  }),
}
