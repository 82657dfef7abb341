import type { Endpoint } from '#contract/endpoint.ts'
import { coldRuleApi } from '#contract/leads/cold-rule.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'

/** What shows how rules are. */
export const RULES_CHANGED: readonly Endpoint[] = [
  coldRuleApi.list,
  coldRuleApi.get,
  coldRuleApi.runs,
  coldRuleApi.versions,
  leadListApi.get,
  leadListApi.list,
]
