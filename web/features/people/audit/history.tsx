import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auditApi, type HISTORY_KINDS } from '#contract/people/audit.ts'
import { query } from '#web/api/query.ts'
import { Entries, type EntriesAsked } from '#web/features/people/audit/entries.tsx'

/** What was done to one thing, by whom, from what to what; of people who sign in also what they did. */
export function History({ kind, uuid }: { kind: (typeof HISTORY_KINDS)[number]; uuid: string }) {
  const { t } = useTranslation('audit')
  const [paging, setPaging] = useState<EntriesAsked>({ page: 1, count: 50 })
  const found = useQuery({ ...query(auditApi.history, { body: { ...paging, kind, uuid } }), placeholderData: keepPreviousData })
  return <Entries found={found} paging={paging} onPaging={setPaging} about={kind} empty={t('history.empty.text')} />
}
