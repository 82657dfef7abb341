import type { CallOutput } from '#contract/endpoint.ts'
import { ERRORS } from '#contract/errors.ts'
import { leadInput, type leadApi } from '#contract/leads/lead.ts'
import { readInput } from '#server/access/read-input.ts'
import { AppError } from '#server/platform/errors.ts'
import type { SendParts } from '../send/send-parts.ts'
import { receiveLeads } from '../session/receive.service.ts'
import type { LeadOwner } from './lead-owner.ts'
import { codeOf, presentLead } from './lead.present.ts'

type Answer = CallOutput<typeof leadApi.sendBatch>['list'][number]

/**
 * Takes many leads in, each read and judged by itself: what is wrong with one is said in its place and costs no other. `name`: what
 * their sender called the whole; told again under it they are the same leads.
 */
export async function takeBatch(
  parts: SendParts,
  owner: LeadOwner,
  sent: readonly unknown[],
  name: string | undefined,
): Promise<{ list: Answer[] }> {
  const read = sent.map((one) => readInput(leadInput, one))
  const good = read.flatMap((one, index) =>
    'fields' in one ? [] : [{ index, input: { ...one.data, external_id: one.data.external_id ?? (name && `${name}-${index}`) } }],
  )
  const inputs = good.map(({ input }) => input)
  const received = inputs.length === 0 ? [] : await receiveLeads(parts, parts.clock.now(), { ...owner, origin: 'api' }, inputs)
  const answers = new Map(good.map(({ index }, at) => [index, received[at]]))
  const list = read.map((one, index): Answer => {
    const answer = 'fields' in one ? new AppError('bad_request', { fields: one.fields }) : answers.get(index)
    if (answer === undefined) throw new Error('a lead was not answered')
    if (!(answer instanceof AppError)) {
      const { session, known } = answer
      return { index, code: codeOf(session.status, known), lead: presentLead(session, known), ...NOTHING_WRONG }
    }
    const { code, message, values, fields = {} } = answer
    return { index, code: ERRORS[code].status, lead: null, error: message, reason: values?.code ?? '', fields }
  })
  return { list }
}

const NOTHING_WRONG = { error: null, reason: '', fields: {} }
