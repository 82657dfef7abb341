import { Button, Group, Menu, Select, Skeleton } from '@mantine/core'
import { IconArrowLeft, IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { TICKET_PRIORITIES, TICKET_STATUSES, ticketApi, type Ticket, type TicketMessage } from '#contract/network/ticket.ts'
import { CallError } from '#web/api/call-error.ts'
import { call } from '#web/api/call.ts'
import { invalidate, query } from '#web/api/query.ts'
import { MessageEntry } from '#web/features/network/ticket/message-entry.tsx'
import { OfferRequest } from '#web/features/network/ticket/offer-request.tsx'
import { TicketComposer } from '#web/features/network/ticket/ticket-composer.tsx'
import { statusKey, toneOf } from '#web/features/network/ticket/ticket-words.ts'
import classes from '#web/features/network/ticket/ticket.module.css'
import { useWaitWords } from '#web/features/network/ticket/wait-words.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'
import { useSession } from '#web/shell/session.ts'

type TicketConversationProps = { of: string; onClose: () => void; onMoved: (key: string) => void }

/** One ticket: what it is about, what was said in it, and where one answers. What is shown counts as read. */
export function TicketConversation({ of, onClose, onMoved }: TicketConversationProps) {
  const { t } = useTranslation('ticket')
  const client = useQueryClient()
  const { acting } = useSession()
  const end = useRef<HTMLLIElement>(null)
  const ticket = useQuery(query(ticketApi.get, { params: { uuid: of } }, { quiet: true }))
  const said = useInfiniteQuery({
    queryKey: [ticketApi.messages.path, of],
    queryFn: ({ pageParam, signal }) =>
      call(ticketApi.messages, { params: { uuid: of }, body: { before: pageParam } }, { quiet: true, signal }),
    initialPageParam: null as string | null, // the newest first
    getNextPageParam: ({ list, more }) => (more ? list[0]?.uuid : undefined),
  })
  const messages: TicketMessage[] = (said.data?.pages ?? []).toReversed().flatMap(({ list }) => list)
  const last = messages.at(-1)?.uuid
  const unread = ticket.data?.unread ?? 0

  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [last])
  useEffect(() => {
    if (last === undefined || unread === 0 || acting) return
    const read = () => {
      if (document.visibilityState !== 'visible') return
      // a failure leaves it unread, which is no harm
      void call(ticketApi.read, { params: { uuid: of }, body: { until: last } }, { quiet: true })
        .then(() => invalidate(client, [ticketApi.list, ticketApi.get, ticketApi.unread]))
        .catch(() => undefined)
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [of, last, unread, acting, client])

  const failure = ticket.error ?? said.error
  // no such ticket, none of theirs, or an address that names none: another try finds nothing either
  const missing = ticket.data === undefined && ticket.error instanceof CallError && [400, 404].includes(ticket.error.status)
  return (
    <section className={classes.conversation} aria-label={ticket.data?.subject ?? t('title')}>
      <Button
        className={classes.back}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowLeft size={16} aria-hidden />}
        onClick={onClose}
      >
        {t('back')}
      </Button>
      {missing && (
        <EmptyState
          alert
          icon={<IconMessages size={26} stroke={1.6} aria-hidden />}
          title={t('missing.title')}
          text={t('missing.text')}
          action={
            <Button variant="default" onClick={onClose}>
              {t('back')}
            </Button>
          }
        />
      )}
      {failure !== null && !missing && ticket.data === undefined && (
        <ErrorState
          what={t('failedOne')}
          error={failure}
          onRetry={() => {
            void ticket.refetch()
            void said.refetch()
          }}
        />
      )}
      {ticket.isPending && <Skeleton height={200} m={16} w="auto" />}
      {ticket.data !== undefined && (
        <>
          <TicketHead ticket={ticket.data} />
          <ol className={classes.messages} aria-live="polite" tabIndex={-1}>
            {ticket.data.earlier !== null && (
              <li className={classes.event}>
                <Link to={`?ticket=${ticket.data.earlier.id}`}>{t('goesOnFrom', { id: ticket.data.earlier.id })}</Link>
              </li>
            )}
            {said.hasNextPage && (
              <li className={classes.event}>
                <Button size="compact-sm" variant="default" loading={said.isFetchingNextPage} onClick={() => void said.fetchNextPage()}>
                  {t('earlier')}
                </Button>
              </li>
            )}
            {messages.map((message) => (
              <MessageEntry key={message.uuid} message={message} />
            ))}
            {ticket.data.later !== null && (
              <li className={classes.event}>
                <Link to={`?ticket=${ticket.data.later.id}`}>{t('goesOnIn', { id: ticket.data.later.id })}</Link>
              </li>
            )}
            <li ref={end} aria-hidden />
          </ol>
          {ticket.data.may_decide && !acting && <OfferRequest ticket={ticket.data} />}
          {acting ? (
            <p className={`ohma-soft ${classes.closed}`}>{t('actingHint')}</p>
          ) : (
            <TicketComposer key={ticket.data.uuid} ticket={ticket.data} seen={last ?? null} onMoved={onMoved} />
          )}
        </>
      )}
    </section>
  )
}

/** What the ticket is about, and what staff do with it. */
function TicketHead({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('ticket')
  const client = useQueryClient()
  const wait = useWaitWords()
  const can = useCan()
  const { acting } = useSession()
  const staff = can('ticket.manage')
  const assignees = useQuery({ ...query(ticketApi.assignees, { body: {} }, { quiet: true }), enabled: staff })
  const save = async (work: Promise<unknown>) => {
    await work.catch(() => undefined) // the call has said why
    await invalidate(client, [ticketApi.list, ticketApi.get, ticketApi.messages])
  }
  const facts = [
    `#${ticket.id}`,
    t(`category.${ticket.category}`),
    ...(ticket.first_answer === null ? [] : [t('answeredAfter', { time: wait(ticket.first_answer) })]),
  ]
  const people = (assignees.data?.list ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))
  const assignee = ticket.assignee
  const known =
    assignee === null || people.some(({ value }) => value === assignee.uuid)
      ? people
      : [{ value: assignee.uuid, label: assignee.name }, ...people]
  return (
    <header className={classes.ticketHead}>
      <div className={classes.line}>
        <h2 className={classes.ticketTitle}>{ticket.subject}</h2>
        <StatusBadge tone={toneOf(ticket.status, staff)} label={t(statusKey(ticket.status, staff))} />
      </div>
      <p className="ohma-soft">
        {facts.join(' · ')}
        {ticket.affiliate !== null && (
          <>
            {' · '}
            <Link to={screenHref('affiliateEdit', { uuid: ticket.affiliate.uuid })}>{ticket.affiliate.name}</Link>
          </>
        )}
        {ticket.offer !== null && (
          <>
            {' · '}
            <Link to={screenHref(staff ? 'offerDetailDirect' : 'partnerOffer', { uuid: ticket.offer.uuid })}>{ticket.offer.name}</Link>
          </>
        )}
      </p>
      <Group gap="xs">
        {staff && (
          <>
            <Select
              size="xs"
              flex="1 1 150px"
              maw={220}
              searchable
              aria-label={t('assignee')}
              placeholder={t('nobodyYet')}
              clearable
              data={known}
              value={assignee?.uuid ?? null}
              onChange={(uuid) => void save(call(ticketApi.assign, { body: { uuids: [ticket.uuid], assignee_uuid: uuid } }))}
            />
            <Select
              size="xs"
              w={120}
              aria-label={t('priority')}
              allowDeselect={false}
              data={TICKET_PRIORITIES.map((one) => ({ value: one, label: t(`priority.${one}`) }))}
              value={ticket.priority}
              onChange={(value) => {
                const priority = TICKET_PRIORITIES.find((one) => one === value)
                if (priority !== undefined) void save(call(ticketApi.update, { params: { uuid: ticket.uuid }, body: { priority } }))
              }}
            />
            <Menu shadow="md">
              <Menu.Target>
                <Button size="xs" variant="default">
                  {t('setStatus')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {TICKET_STATUSES.filter((one) => one !== ticket.status).map((status) => (
                  <Menu.Item key={status} onClick={() => void save(call(ticketApi.setStatus, { body: { uuids: [ticket.uuid], status } }))}>
                    {t(statusKey(status, true))}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          </>
        )}
        {!staff && !acting && ticket.status !== 'closed' && (
          <Button size="xs" variant="default" onClick={() => void save(call(ticketApi.close, { params: { uuid: ticket.uuid } }))}>
            {t('closeOwn')}
          </Button>
        )}
      </Group>
    </header>
  )
}
