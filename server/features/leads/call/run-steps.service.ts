import { sayCallReason } from '#contract/leads/call-reason.ts'
import type { StepSpec } from '#contract/leads/integration-spec.ts'
import type { MadeCall } from '#contract/leads/product.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'
import { extractFrom, type Judged } from '#server/rules/lead/integration/read-answer.ts'
import { keptUntil } from '#server/rules/lead/integration/step.ts'
import { makeCall, type Circumstances } from './make-call.service.ts'
import { maskIn } from './mask-secrets.ts'
import type { Given, NoToken, TokenKeeper } from './token.service.ts'

/** Of steps whose token was kept and not taken, the number of that token. */
export type Refused = ReadonlyMap<string, number>
/** Everything for the calls after the steps; `failed` = what ended it. `kept`: whose tokens were there before, and which. */
export type AfterSteps = Circumstances & { calls: MadeCall[]; failed: Judged | null; kept: Refused }

/** Makes the calls before the one that matters, or takes what they gave before. What a step gives is as secret as the account. */
export async function runSteps(
  steps: readonly StepSpec[],
  circumstances: Circumstances,
  policy: OutboundPolicy,
  { tokens, refused }: { tokens: TokenKeeper; refused: Refused },
): Promise<AfterSteps> {
  const calls: MadeCall[] = []
  const kept = new Map<string, number>()
  let known = circumstances
  for (const step of steps) {
    const run = async () => {
      const { call, said } = await runStep(step, known, policy)
      calls.push(call)
      return said
    }
    const got = step.keep_seconds === 0 ? await run() : await takeKept(step, refused.get(step.name), tokens, run)
    if ('outcome' in got) return { ...known, calls, kept, failed: { ...got, rule: null, fits: [], extracted: {} } }
    if ('isNew' in got && !got.isNew) kept.set(step.name, got.number)
    const given = Object.entries(got.given).map(([name, text]) => [`step.${step.name}.${name}`, text] as const)
    known = {
      ...known,
      values: { ...known.values, ...Object.fromEntries(given) },
      hidden: [...known.hidden, ...given.map(([name]) => name)],
    }
  }
  return { ...known, calls, kept, failed: null }
}

type Said = { given: Given; expires: string | undefined } | NoToken

function takeKept(step: StepSpec, refused: number | undefined, tokens: TokenKeeper, run: () => Promise<Said>) {
  return tokens.take(step.name, { refused, timeoutMs: step.request.timeout_ms }, async (now) => {
    const said = await run()
    return 'outcome' in said ? said : { given: said.given, until: keptUntil(said.expires, step.keep_seconds, now) }
  })
}

async function runStep(step: StepSpec, circumstances: Circumstances, policy: OutboundPolicy): Promise<{ call: MadeCall; said: Said }> {
  const { call, answer, judged } = await makeCall(step.name, step.request, step.response, circumstances, policy)
  if (judged.outcome !== 'accepted') {
    const outcome = judged.outcome === 'ambiguous' ? 'temporary' : judged.outcome
    return { call, said: { outcome, reason: `${step.name}: ${judged.reason}` } }
  }
  const given = Object.fromEntries(Object.entries(step.give).map(([name, places]) => [name, extractFrom(answer, places) ?? '']))
  // what a step gave opens the account as well as its password does
  const shown = maskIn(call, Object.values(given))
  const lacking = Object.keys(given).find((name) => given[name] === '')
  if (lacking !== undefined) {
    const reason = sayCallReason('step_lacks', { step: step.name, value: `step.${step.name}.${lacking}` })
    return { call: shown, said: { outcome: 'config_error', reason } }
  }
  return { call: shown, said: { given, expires: extractFrom(answer, step.expires ?? []) } }
}
