import { Button } from '@mantine/core'
import { IconMessages, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useNavigate } from 'react-router'
import { TICKET_STATUSES, ticketApi, type TicketRow } from '#contract/network/ticket.ts'
import { TicketCreate } from '#web/features/network/ticket/ticket-form.tsx'
import { statusKey, toneOf } from '#web/features/network/ticket/ticket-words.ts'
import { UNKNOWN } from '#web/format.ts'
import { column, count, idColumn, moment, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { screenHref } from '#web/shell/access.ts'

const COLUMNS: Columns<TicketRow, 'ticket'> = [
  idColumn(),
  text('subject', { width: 240, card: 'title' }),
  column('status', {
    whole: true,
    card: 'field',
    cell: ({ status }: TicketRow, t) => <StatusBadge tone={toneOf(status, true)} label={t(statusKey(status, true))} />,
    csv: ({ status }, t) => t(statusKey(status, true)),
  }),
  column('category', {
    cell: ({ category }: TicketRow, t) => t(`category.${category}`),
    csv: ({ category }, t) => t(`category.${category}`),
  }),
  column('priority', {
    sort: true,
    hidden: true,
    cell: ({ priority }: TicketRow, t) => t(`priority.${priority}`),
    csv: ({ priority }, t) => t(`priority.${priority}`),
  }),
  column('assignee', { cell: ({ assignee }: TicketRow) => assignee?.name ?? UNKNOWN, csv: ({ assignee }) => assignee?.name }),
  count('unread', { header: 'unreadColumn', card: 'field' }),
  moment('last_at', { header: 'lastMessage', sort: true, card: 'field' }),
]

/** The tickets of one affiliate, the one in which somebody spoke last first; staff open another with the affiliate. */
export function AffiliateTicketList({ affiliate }: { affiliate: { uuid: string; id: number; name: string } }) {
  const { t } = useTranslation('ticket')
  const navigate = useNavigate()
  const [opening, setOpening] = useState(false)
  const list = useList(ticketApi.list, {
    name: 'affiliate-ticket',
    columns: useColumns('ticket', COLUMNS),
    rowKey: ({ uuid }) => uuid,
    sort: { column: 'last_at', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(
        t('status'),
        TICKET_STATUSES.map((value) => ({ value, label: t(statusKey(value, true)) })),
      ),
    },
    fixed: { affiliate_uuid: [affiliate.uuid] },
    live: true,
  })
  const hrefOf = (id: number | string) => `${screenHref('tickets')}?ticket=${id}`
  const open = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpening(true)}>
      {t('openTicket')}
    </Button>
  )
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t('title')}
        actions={open}
        empty={{
          icon: <IconMessages size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t('empty.ofAffiliate'),
          action: open,
        }}
        rowHref={({ id }) => hrefOf(id)}
        rowActions={undefined}
        exportName={`affiliate-${affiliate.id}-tickets`}
      />
      {opening && (
        <TicketCreate staff affiliate={affiliate} onClose={() => setOpening(false)} onMade={(key) => void navigate(hrefOf(key))} />
      )}
    </>
  )
}
