import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { MadeCall } from '#contract/leads/product.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { Judged } from '#server/rules/lead/integration/read-answer.ts'
import { readRows, type PulledPage } from '#server/rules/lead/integration/read-rows.ts'
import { stepsOfPull } from '#server/rules/lead/integration/step.ts'
import type { Values } from '#server/rules/lead/integration/template.ts'
import { makeCall } from './make-call.service.ts'
import { runSteps, type AfterSteps, type Refused } from './run-steps.service.ts'
import type { TokenKeeper } from './token.service.ts'

/** What a lead came to, every call that was made for it in order, without secrets, and the answer that decided. */
export type Sent = { judged: Judged; calls: MadeCall[] }
/** `values` are the macros with the account in them; `secrets` the names of those nobody may read; `tokens` what log-ins gave before. */
type Of = { values: Values; secrets: readonly string[]; country: string; tokens: TokenKeeper }

/**
 * Sends a lead as its integration says: the steps before it, then the lead itself. Where they refuse a token that was kept, it logs in
 * anew and says it once more; whatever they answer then stands. A step whose answer is not `accepted` ends it: what it came to stands
 * for the whole, but never as `ambiguous`, since nothing of the lead was sent. Never throws.
 */
export async function runCalls(spec: IntegrationSpec, of: Of, policy: OutboundPolicy): Promise<Sent> {
  const first = await runOnce(spec, of, policy, new Map())
  if (first.judged.outcome !== 'config_error' || first.kept.size === 0) return first
  const again = await runOnce(spec, of, policy, first.kept)
  return { judged: again.judged, calls: [...first.calls, ...again.calls] }
}

/** `kept`: of each step whose token was kept, which one it was. */
async function runOnce(
  spec: IntegrationSpec,
  { values, secrets, country, tokens }: Of,
  policy: OutboundPolicy,
  refused: Refused,
): Promise<Sent & { kept: Refused }> {
  const before = await runSteps(spec.steps, { spec, values, hidden: secrets, country }, policy, { tokens, refused })
  if (before.failed !== null) return { judged: before.failed, calls: before.calls, kept: before.kept }
  const { call, judged } = await makeCall('', spec.request, spec.response, before, policy)
  return { judged, calls: [...before.calls, call], kept: before.kept }
}

/** Asks one system page after page, by one log-in. */
export type Questions = {
  /** Asks for one page; `values` are the `poll.` macros. `calls` are those that were made for it. Never throws. */
  ask(values: Values): Promise<{ calls: MadeCall[]; page: PulledPage }>
}

/** What became of leads is asked for with what its steps gave; a kept token that is refused is got anew, once for all questions. */
export function openQuestions(
  spec: IntegrationSpec & { pull: NonNullable<IntegrationSpec['pull']> },
  { values, secrets, country, tokens }: Of,
  policy: OutboundPolicy,
): Questions {
  const steps = stepsOfPull(spec)
  const open = (refused: Refused) => runSteps(steps, { spec, values, hidden: secrets, country }, policy, { tokens, refused })
  let by: AfterSteps | null = null
  let renewed = false
  const askBy = async ({ calls: before, failed, kept, ...circumstances }: AfterSteps, asked: Values): Promise<Answered> => {
    if (failed !== null) return { calls: before, page: { error: failed.reason, refused: false }, kept: new Map() }
    const all = { ...circumstances, values: { ...circumstances.values, ...asked } }
    const { call, answer, judged } = await makeCall('pull', spec.pull.request, NO_RULES, all, policy)
    // without an answer nothing was asked, and the reason says why
    const page = call.answer === null ? { error: judged.reason, refused: false } : readRows(answer, spec.pull)
    return { calls: [...before, call], page, kept }
  }
  return {
    async ask(asked) {
      by ??= await open(new Map())
      const first = await askBy(by, asked)
      // its steps were told of once
      by = { ...by, calls: [] }
      if (renewed || first.kept.size === 0 || !('error' in first.page) || !first.page.refused) return first
      renewed = true
      by = await open(first.kept)
      const again = await askBy(by, asked)
      by = { ...by, calls: [] }
      return { ...again, calls: [...first.calls, ...again.calls] }
    },
  }
}

type Answered = { calls: MadeCall[]; page: PulledPage; kept: Refused }
const NO_RULES = { rules: [], extract: {} }
