import { Group, Paper, Skeleton } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { type auditApi, type AuditEntry } from '#contract/people/audit.ts'
import { actionName } from '#web/features/people/audit/change-words.ts'
import { Differences } from '#web/features/people/audit/differences.tsx'
import { thingOf, whoOf } from '#web/features/people/audit/entry-words.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import classes from '#web/features/people/audit/audit.module.css'

export type EntriesAsked = { page: number; count: number }

type EntriesProps = {
  found: { data: CallOutput<typeof auditApi.history> | undefined; error: Error | null; refetch: () => unknown }
  paging: EntriesAsked
  onPaging: (paging: EntriesAsked) => void
  /** The kind whose name need not be said at each entry. */
  about: string
  empty: string
}

/** Entries of the log one after another, each with what changed, and pages where they are many. */
export function Entries({ found, paging: { page, count }, onPaging, about, empty }: EntriesProps) {
  const { t } = useTranslation('audit')
  if (found.data === undefined) {
    return found.error ? (
      <ErrorState what={t('history.failed')} error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <Skeleton height={260} radius="md" />
    )
  }
  const { list, summary } = found.data
  if (list.length === 0) return <EmptyState title={t('history.empty.title')} text={empty} />
  return (
    <>
      <Paper component="ol" withBorder px="lg">
        {list.map((entry) => (
          <Entry key={entry.id} entry={entry} about={about} />
        ))}
      </Paper>
      {summary.rows > count && (
        <Pager
          rows={summary.rows}
          page={page}
          count={count}
          onPage={(next) => onPaging({ page: next, count })}
          onCount={(next) => onPaging({ page: 1, count: next })}
        />
      )}
    </>
  )
}

function Entry({ entry, about }: { entry: AuditEntry; about: string }) {
  const { t } = useTranslation('audit')
  const what = entry.entity === about ? '' : `${thingOf(t, entry)}: `
  return (
    <li className={classes.change}>
      <Group gap="4px 12px">
        <strong>{upper(`${what}${actionName(t, entry.action)}`)}</strong>
        <span className="ohma-soft">
          {[whoOf(t, entry), entry.key, entry.address].filter(Boolean).join(' · ')} · <Moment at={entry.at} />
        </span>
      </Group>
      <Differences of={entry} />
    </li>
  )
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
