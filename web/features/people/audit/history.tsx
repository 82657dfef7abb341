import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { auditApi, type HISTORY_KINDS, type SETTING_KINDS } from '#contract/people/audit.ts'
import { call } from '#web/api/call.ts'
import type { CallError } from '#web/api/call-error.ts'
import { Entries, type EntriesAsked } from '#web/features/people/audit/entries.tsx'

/** What has a history: a thing by its uuid, or a part of the settings by its word. */
export type HistoryOf = { kind: (typeof HISTORY_KINDS)[number]; uuid: string } | { kind: (typeof SETTING_KINDS)[number]; part: string }

/** One page of what the log says of it. */
export function historyQuery(of: HistoryOf, paging: EntriesAsked) {
  const path = 'uuid' in of ? auditApi.history.path : auditApi.settings.path
  return queryOptions<CallOutput<typeof auditApi.history>, CallError>({
    queryKey: [path, { ...paging, ...of }],
    queryFn: ({ signal }) =>
      'uuid' in of
        ? call(auditApi.history, { body: { ...paging, ...of } }, { signal, quiet: true })
        : call(auditApi.settings, { body: { ...paging, ...of } }, { signal, quiet: true }),
  })
}

/** What was done to one thing, by whom, from what to what; of people who sign in also what they did. */
export function History(of: HistoryOf) {
  const { t } = useTranslation('audit')
  const [paging, setPaging] = useState<EntriesAsked>({ page: 1, count: 50 })
  const found = useQuery({ ...historyQuery(of, paging), placeholderData: keepPreviousData })
  return <Entries found={found} paging={paging} onPaging={setPaging} about={of.kind} empty={t('history.empty.text')} />
}
