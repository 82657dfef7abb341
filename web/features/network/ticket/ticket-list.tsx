import { Button, Checkbox, Group, Select, Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useSearchParams } from 'react-router'
import { ticketApi, type TicketRow } from '#contract/network/ticket.ts'
import { call } from '#web/api/call.ts'
import { invalidate, query } from '#web/api/query.ts'
import { TicketFilters, ticketFiltersOf } from '#web/features/network/ticket/ticket-filters.tsx'
import { statusKey, toneOf } from '#web/features/network/ticket/ticket-words.ts'
import classes from '#web/features/network/ticket/ticket.module.css'
import { integer } from '#web/format.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

const PAGE = 30

/** The tickets one may read, narrowed by the address; walked by ↑ ↓, several of them closed or taken at once by staff. */
export function TicketList({ open }: { open: string | null }) {
  const { t } = useTranslation('ticket')
  const client = useQueryClient()
  const staff = useCan()('ticket.manage')
  const [params, setParams] = useSearchParams()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const filters = ticketFiltersOf(params)
  const { search, status, category, priority, assigned, unread } = filters
  const page = Math.max(1, Math.min(1_000_000, Math.trunc(Number(params.get('page'))) || 1))
  const put = (name: string, value: string) => {
    setChosen(new Set())
    setParams(
      (now) => {
        if (value === '') now.delete(name)
        else now.set(name, value)
        if (name !== 'page') now.delete('page')
        return now
      },
      { replace: true },
    )
  }
  const found = useQuery({
    ...query(
      ticketApi.list,
      {
        body: {
          search,
          page,
          count: PAGE,
          status: status === null ? [] : [status],
          category: category === null ? [] : [category],
          priority: priority === null ? [] : [priority],
          assigned: assigned ?? 'anybody',
          unread,
        },
      },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  const hrefOf = (row: TicketRow) => {
    const next = new URLSearchParams(params)
    next.set('ticket', String(row.id))
    return `?${next}`
  }
  const change = async (work: (uuids: string[]) => Promise<{ changed: number }>) => {
    try {
      const { changed } = await work([...chosen])
      notify.success(t('changed', { count: changed, number: integer(changed) }))
      setChosen(new Set())
    } catch {
      // the call has said why
    }
    await invalidate(client, [ticketApi.list, ticketApi.get, ticketApi.messages])
  }
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-row]')]
    const at = links.findIndex((link) => link.closest('li')?.contains(document.activeElement))
    links[at + step]?.focus()
    event.preventDefault()
  }
  const rows = found.data?.list ?? []
  const total = found.data?.summary.rows ?? 0
  const filtered = search !== '' || unread || [status, category, priority, assigned].some((one) => one !== null)
  return (
    <section className={classes.list} aria-label={t('title')}>
      <TicketFilters of={filters} staff={staff} onChange={put} />
      {chosen.size > 0 && (
        <Group gap="xs" px={12} py={8} role="region" aria-label={t('chosen', { number: integer(chosen.size) })}>
          <span>{t('chosen', { number: integer(chosen.size) })}</span>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => void change((uuids) => call(ticketApi.setStatus, { body: { uuids, status: 'closed' } }))}
          >
            {t('close')}
          </Button>
          <AssignMenu onAssign={(uuid) => void change((uuids) => call(ticketApi.assign, { body: { uuids, assignee_uuid: uuid } }))} />
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setChosen(new Set())}>
            {t('clear')}
          </Button>
        </Group>
      )}
      {found.error && found.data === undefined && (
        <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
      )}
      {found.isPending && <Skeleton height={300} m={12} w="auto" />}
      {found.data !== undefined && rows.length === 0 && (
        <EmptyState
          title={t(filtered ? 'noneFound.title' : 'empty.title')}
          text={t(filtered ? 'noneFound.text' : staff ? 'empty.staff' : 'empty.own')}
        />
      )}
      {/* the keys are those of its links */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul className={classes.rows} onKeyDown={onKeyDown}>
        {rows.map((row) => (
          <li key={row.uuid} className={classes.row} data-open={open === String(row.id) || open === row.uuid || undefined}>
            {staff && (
              <Checkbox
                size="xs"
                aria-label={t('choose.one', { id: row.id })}
                checked={chosen.has(row.uuid)}
                onChange={() =>
                  setChosen((now) =>
                    now.has(row.uuid) ? new Set([...now].filter((one) => one !== row.uuid)) : new Set([...now, row.uuid]),
                  )
                }
              />
            )}
            <Link
              data-row
              to={hrefOf(row)}
              className={classes.link}
              data-unread={row.unread > 0 || undefined}
              aria-current={open === String(row.id) || undefined}
            >
              <span className={classes.line}>
                <span className={`ohma-clip ${classes.subject}`}>{row.subject}</span>
                <span className={classes.when}>
                  <Moment at={row.last_at} />
                </span>
              </span>
              <span className={classes.line}>
                <span className="ohma-clip ohma-soft">
                  {row.affiliate === null ? '' : `${row.affiliate.name} · `}
                  {row.excerpt === '' ? t('fileOnly') : row.excerpt}
                </span>
                {row.unread > 0 && (
                  <span className={classes.unread}>
                    {integer(row.unread)}
                    <span className="ohma-silent"> {t('unread')}</span>
                  </span>
                )}
              </span>
              <span className={classes.line}>
                <StatusBadge tone={toneOf(row.status, staff)} label={t(statusKey(row.status, staff))} />
                <span className="ohma-soft ohma-clip">
                  #{row.id}
                  {(row.priority === 'high' || row.priority === 'urgent') && ` · ${t(`priority.${row.priority}`)}`}
                  {row.assignee !== null && ` · ${row.assignee.name}`}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {total > PAGE && (
        <Group justify="space-between" p={12}>
          <Button size="compact-sm" variant="default" disabled={page === 1} onClick={() => put('page', page === 2 ? '' : String(page - 1))}>
            {t('before')}
          </Button>
          <span className="ohma-soft">{t('pageOf', { page: integer(page), pages: integer(Math.ceil(total / PAGE)) })}</span>
          <Button size="compact-sm" variant="default" disabled={page * PAGE >= total} onClick={() => put('page', String(page + 1))}>
            {t('after')}
          </Button>
        </Group>
      )}
    </section>
  )
}

function AssignMenu({ onAssign }: { onAssign: (uuid: string | null) => void }) {
  const { t } = useTranslation('ticket')
  const { data } = useQuery(query(ticketApi.assignees, { body: {} }, { quiet: true }))
  return (
    <Select
      size="xs"
      w={180}
      searchable
      aria-label={t('assign')}
      placeholder={t('assign')}
      data={[{ value: '', label: t('nobody') }, ...(data?.list ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))]}
      value={null}
      onChange={(value) => value !== null && onAssign(value === '' ? null : value)}
    />
  )
}
