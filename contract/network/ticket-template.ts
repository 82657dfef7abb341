import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, paragraph, requiredLine, uuid, version } from '#contract/fields.ts'

/** What a template may hold, filled when it is chosen: of the ticket, of who writes, and of the network. */
export const TEMPLATE_MACROS = ['affiliate', 'number', 'subject', 'offer', 'me', 'network'] as const

/** More than anybody finds their way in. */
export const MOST_TEMPLATES = 200

const macros = (text: string) => [...text.matchAll(/\{([^{}\s]*)\}/g)].map(([, name = '']) => name)
const known: readonly string[] = TEMPLATE_MACROS

export const ticketTemplateInput = z.object({
  title: requiredLine(80),
  body: paragraph(5000)
    .min(1, 'Required')
    .refine((text) => macros(text).every((name) => known.includes(name)), {
      error: ({ input }) =>
        `Unknown macro: ${macros(String(input))
          .filter((name) => !known.includes(name))
          .map((name) => `{${name}}`)
          .join(', ')
          .slice(0, 200)}`,
    }),
})

export const ticketTemplate = z.object({ uuid, title: z.string(), body: z.string(), version })
export type TicketTemplate = z.output<typeof ticketTemplate>

/** Answers that staff give often: everybody who answers tickets uses and keeps them. */
export const ticketTemplateApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/ticket-template/v1/list',
    access: 'ticket.manage',
    summary: `All templates by their titles; at most ${MOST_TEMPLATES}.`,
    response: z.object({ list: z.array(ticketTemplate) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/ticket-template/v1/create',
    access: 'ticket.manage',
    summary: 'Makes a template.',
    body: ticketTemplateInput,
    response: ticketTemplate,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/ticket-template/v1/update/:uuid',
    access: 'ticket.manage',
    summary: 'Changes a template.',
    params: byUuid,
    body: ticketTemplateInput.extend({ version }),
    response: ticketTemplate,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/ticket-template/v1/remove/:uuid',
    access: 'ticket.manage',
    summary: 'Removes a template.',
    params: byUuid,
    response: z.object({}),
  }),
}
