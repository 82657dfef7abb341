import { sayCallReason } from '#contract/leads/call-reason.ts'
import type { IntegrationSpec, RequestSpec, ResponseSpec } from '#contract/leads/integration-spec.ts'
import type { MadeCall } from '#contract/leads/product.ts'
import { sendOutbound, type OutboundAnswer } from '#server/platform/outbound/send.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'
import { buildRequest, type BuiltRequest } from '#server/rules/lead/integration/build-request.ts'
import { cutAtWord } from '#server/rules/lead/cut-at-word.ts'
import { judgeAnswer, type Answer, type Judged } from '#server/rules/lead/integration/read-answer.ts'
import type { Gather, Values } from '#server/rules/lead/integration/template.ts'
import { derivedSecrets, hiddenTexts, maskIn, maskText, MASKED, maskedValues } from './mask-secrets.ts'

/** Longer answers are read up to here: what follows decides nothing. */
const LONGEST_ANSWER = 262_144

/** So much of an answer is kept for who looks on. */
const SHOWN_ANSWER = 20_000

/** What calls are written from: the macros with the account in them, the names of those nobody may read, the lead's country. */
export type Circumstances = { spec: IntegrationSpec; values: Values; hidden: readonly string[]; country: string }

/** Makes one call and judges its answer. Never throws. */
export async function makeCall(
  step: string,
  request: RequestSpec,
  response: ResponseSpec,
  { spec, values, hidden, country }: Circumstances,
  policy: OutboundPolicy,
): Promise<{ call: MadeCall; answer: Answer; judged: Judged }> {
  const context = { tables: spec.tables, country }
  const secretly: Gather = { of: (macro) => hidden.includes(macro), words: new Set() }
  const built = buildRequest(request, values, context, secretly)
  if ('tooLong' in built && built.tooLong !== '') {
    // what the spec makes of a lead cannot be sent: no other lead would fare better, and this one is not to blame
    const call = { ...NOTHING, step, method: request.method, url: request.url }
    const reason = sayCallReason('too_long', { field: built.tooLong })
    return { call, answer: NO_ANSWER, judged: { outcome: 'config_error', reason, rule: null, fits: [], extracted: {} } }
  }
  if ('missing' in built) {
    const call = { ...NOTHING, step, method: request.method, url: request.url, missing: built.missing }
    const reason = sayCallReason('missing', { fields: built.missing.join(', ') })
    return { call, answer: NO_ANSWER, judged: { outcome: 'rejected', reason, rule: null, fits: [], extracted: {} } }
  }
  const answering = sendOutbound({ ...sendable(built), timeoutMs: built.timeoutMs, longest: LONGEST_ANSWER }, policy)
  // while they think
  const derived = derivedSecrets(secretly.words, values, hidden)
  const keep = keeping(step, request, { spec, values, hidden, country }, derived)
  const answered = await answering
  const answer = readable(answered)
  const judged = withoutSecrets(judgeAnswer(answer, response), maskText([...hiddenTexts(values, hidden), ...derived]))
  return { call: keep(answered, judged), answer, judged }
}

/** How a call is kept once it is answered: dots in place of its secrets and what was `derived` of them, also where the answer repeats them. */
export function keeping(
  step: string,
  request: RequestSpec,
  { spec, values, hidden, country }: Circumstances,
  derived: readonly string[] = [],
) {
  const shown = buildRequest(request, maskedValues(values, hidden), { tables: spec.tables, country })
  const made = { ...NOTHING, step, ...('missing' in shown ? { method: request.method, url: request.url } : said(shown)) }
  const secrets = [...hiddenTexts(values, hidden), ...derived]
  return (answered: OutboundAnswer, judged: Pick<Judged, 'fits' | 'rule'>): MadeCall =>
    maskIn(answeredCall(made, answered, judged), secrets)
}

function answeredCall(made: MadeCall, answered: OutboundAnswer, { fits, rule }: Pick<Judged, 'fits' | 'rule'>): MadeCall {
  return {
    ...made,
    answer: {
      status: answered.status,
      error: answered.error,
      headers: Object.entries(answered.headers).map(([name, value]) => ({ name, value })),
      body: cutAtWord(answered.body, SHOWN_ANSWER).replaceAll('\0', '\uFFFD').toWellFormed(),
      duration_ms: answered.durationMs,
    },
    fits,
    rule,
  }
}

/** What they say is wrong may repeat the account it was said with. */
function withoutSecrets(judged: Judged, clean: (text: string) => string): Judged {
  const { error_text: text } = judged.extracted
  return {
    ...judged,
    reason: clean(judged.reason),
    extracted: { ...judged.extracted, ...(text !== undefined && { error_text: clean(text) }) },
  }
}

const NOTHING: MadeCall = { step: '', method: '', url: '', headers: [], body: null, missing: [], answer: null, fits: [], rule: null }
const NO_ANSWER: Answer = { status: null, failure: 'refused', headers: {}, body: '' }

function sendable({ method, url, headers, body }: BuiltRequest) {
  return { method, url, headers: { accept: '*/*', 'user-agent': 'Ohma-Leads/1', ...headers }, ...(body !== null && { body }) }
}

/** A call with dots in place of its secrets; where they were encoded the dots are dots again. */
function said({ method, url, headers, body }: BuiltRequest): Pick<MadeCall, 'method' | 'url' | 'headers' | 'body'> {
  const dots = (text: string) => text.replaceAll(encodeURIComponent(MASKED), MASKED)
  return {
    method,
    url: dots(url),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value: dots(value) })),
    body: body === null ? null : dots(body),
  }
}

/**
 * How an answer that did not come is read. Where no connection was made nothing reached them; a connection that broke or an answer
 * that did not come in time says nothing about what they have.
 */
function readable({ status, error, headers, body }: OutboundAnswer): Answer {
  switch (error) {
    case '':
      return { status, failure: '', headers, body }
    case 'refused_target':
    case 'private_address':
      return { ...NO_ANSWER, failure: 'refused' }
    case 'host_not_found':
    case 'connection_refused':
    case 'tls_failed':
      return { ...NO_ANSWER, failure: 'connect' }
    case 'connection_reset':
      return { ...NO_ANSWER, failure: 'cut' }
    case 'timed_out':
      return { ...NO_ANSWER, failure: 'timeout' }
    case 'too_many_redirects':
    case 'failed':
      return { ...NO_ANSWER, failure: 'unreadable' }
  }
}
