import { sql, type RawBuilder } from 'kysely'
import type { CallStatus } from '#contract/leads/call-status.ts'
import type { LeadHistoryStatus } from '#contract/leads/lead-history.ts'
import { isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

/** The call centre works on the lead: whether it comes to money is open. */
const OPEN: readonly CallStatus[] = ['new', 'in_progress', 'no_answer', 'callback', 'registered', 'failed_payment']

/** How a send stands in the words of the history: of one that was taken the status of its lead `s` says more. */
function historyOf(status: string): RawBuilder<LeadHistoryStatus> {
  const stored = sql.ref(status)
  return sql`case when ${stored} <> 'accepted' then ${stored} when s.status = 'converted' then 'approved'
                  when s.call_status in (${sql.join(OPEN)}) then 'pending' else 'accepted' end`
}

/** Whether a lead `s` stands so at some product of an advertiser in scope; nobody finds out by it what somebody else's answered. */
export function standsSo(scope: Scope, words: readonly LeadHistoryStatus[]): RawBuilder<boolean> {
  const sent = sql`exists (select from lead_send t join advertiser w on w.id = t.advertiser_id
    where t.session_id = s.id and ${historyOf('t.status')} in (${sql.join(words)}) and ${isInScope(scope, { advertiserManager: 'w.manager_id' })})`
  const waits = words.includes('queued') ? sql`or s.status = 'queued'` : sql``
  const skipped = words.includes('skipped')
    ? sql`or (s.status = 'unsold' and not exists (select from lead_send t where t.session_id = s.id))`
    : sql``
  return sql`(${sent} ${waits} ${skipped})`
}
