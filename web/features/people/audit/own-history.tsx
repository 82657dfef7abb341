import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { auditApi } from '#contract/people/audit.ts'
import { query } from '#web/api/query.ts'
import { Entries, type EntriesAsked } from '#web/features/people/audit/entries.tsx'

/** What was done by and to the own account. */
export function OwnHistory() {
  const { t } = useTranslation('audit')
  const [paging, setPaging] = useState<EntriesAsked>({ page: 1, count: 50 })
  const found = useQuery({ ...query(auditApi.own, { body: paging }), placeholderData: keepPreviousData })
  return <Entries found={found} paging={paging} onPaging={setPaging} about="account" empty={t('own.empty.text')} />
}
