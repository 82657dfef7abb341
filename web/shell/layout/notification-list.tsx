import { Button, Divider, Group, ScrollArea, Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { notificationApi, productOfCap, type Notification } from '#contract/network/notification.ts'
import { notificationTarget } from '#contract/network/notification-target.ts'
import { call } from '#web/api/call.ts'
import { day, integer } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { useScreens } from '#web/shell/access.ts'
import { useInboxCounts } from '#web/shell/inbox-counts.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import classes from '#web/shell/layout/notification-list.module.css'

const DAY = 86_400_000

/** What happened, by days, each a step from where it is; above it how much waits for a decision. */
export function NotificationList({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation('layout')
  const client = useQueryClient()
  const zone = useZone()
  const words = useNotificationWords()
  const screens = useScreens()
  const counts = useInboxCounts()
  const found = useInfiniteQuery({
    queryKey: [notificationApi.list.path, 'pages'],
    queryFn: ({ pageParam }) => call(notificationApi.list, { body: { page: pageParam } }, { quiet: true }),
    initialPageParam: 1,
    getNextPageParam: ({ summary }, pages) =>
      pages.reduce((sum, { list: rows }) => sum + rows.length, 0) < summary.rows ? pages.length + 1 : undefined,
    staleTime: 0,
  })
  // what came meanwhile has moved the last of a page to the next
  const list = [...new Map((found.data?.pages ?? []).flatMap((page) => page.list.map((one) => [one.uuid, one] as const))).values()]
  const waiting = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0)
  const dayOf = (at: string | number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(at))
  const now = found.dataUpdatedAt
  const titleOf = (date: string) => (date === dayOf(now) ? t('bell.today') : date === dayOf(now - DAY) ? t('bell.yesterday') : day(date))
  const refresh = () => client.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith('/api/notification/v1/') })
  const open = (those: readonly Notification[]) => {
    onLeave()
    const unread = those.filter((one) => !one.read)
    // a failure leaves it unread, which is no harm
    const calls = unread.map(({ uuid }) => call(notificationApi.read, { params: { uuid } }, { quiet: true }))
    if (unread.length > 0) void Promise.all(calls).then(refresh, refresh)
  }
  const readAll = async () => {
    const until = list[0]?.at
    if (until === undefined) return
    await call(notificationApi.readAll, { body: { until } }).catch(() => undefined)
    await refresh()
  }

  return (
    <>
      <Group justify="space-between" mih={44} pl="md" pr="xs">
        <Text fw={600}>{t('bell.title')}</Text>
        {list.some(({ read }) => !read) && (
          <Button variant="subtle" size="compact-xs" onClick={() => void readAll()}>
            {t('bell.readAll')}
          </Button>
        )}
      </Group>
      <Divider />
      {waiting > 0 && (
        <>
          <ScreenLink to="dashboard" className={classes.inbox} onClick={onLeave}>
            {t('bell.inbox', { count: waiting, number: integer(waiting) })}
          </ScreenLink>
          <Divider />
        </>
      )}
      {found.isPending && <Skeleton height={120} />}
      {(found.error !== null || list.length === 0) && !found.isPending && (
        <Text c="dimmed" ta="center" px="md" py={28} role="status">
          {t(found.error === null ? 'bell.none' : 'bell.failed')}
        </Text>
      )}
      <ScrollArea.Autosize mah="min(460px, 70vh)">
        {[...Map.groupBy(list, ({ at }) => dayOf(at))].map(([date, those]) => (
          <div key={date} role="group" aria-label={titleOf(date)}>
            <h3 className={classes.day}>{titleOf(date)}</h3>
            <ul>
              {/* what happened several times in a day, as a cap of an hour that fills, stands once */}
              {[...Map.groupBy(those, (one) => `${words(one)} ${one.reason}`).values()].flatMap(
                ([one, ...same]) =>
                  one && (
                    <li key={one.uuid}>
                      <Link
                        to={notificationTarget(one, (screen) => screens.has(screen))}
                        className={classes.notification}
                        data-unread={[one, ...same].some(({ read }) => !read) || undefined}
                        onClick={() => open([one, ...same])}
                      >
                        <span className={classes.words}>
                          {[one, ...same].some(({ read }) => !read) && <span className="ohma-silent">{t('bell.new')}: </span>}
                          {words(one)}
                          {same.length > 0 && ` × ${integer(same.length + 1)}`}
                          {one.reason !== '' && !one.kind.startsWith('cap_') && !one.kind.startsWith('domain_') && (
                            <span className={classes.reason}>{one.reason}</span>
                          )}
                        </span>
                        <span className={classes.when}>
                          <Moment at={one.at} />
                        </span>
                      </Link>
                    </li>
                  ),
              )}
            </ul>
          </div>
        ))}
        {found.hasNextPage && (
          <Button
            variant="subtle"
            size="compact-sm"
            fullWidth
            my={8}
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t('bell.older')}
          </Button>
        )}
      </ScrollArea.Autosize>
    </>
  )
}

/** Says in one sentence what happened. */
function useNotificationWords(): (notification: Notification) => string {
  const { t } = useTranslation('layout')
  const { t: affiliateTexts } = useTranslation('affiliate')
  const own = useScreens().has('partnerOffer')
  const { t: cap } = useTranslation('cap')
  const { t: late } = useTranslation('notification')
  return ({ kind, offer, affiliate, landing, ticket, news, status, reason, count }) => {
    const who = affiliate === null ? '' : affiliate.name || t('notification.stranger', { id: affiliate.id })
    const named = {
      affiliate: who,
      offer: offer?.name ?? '',
      landing: landing?.name ?? '',
      news: news?.name ?? '',
      count,
      number: integer(count),
    }
    if (kind === 'access_decided')
      return t(status === 'approved' ? 'notification.access_decided.approved' : 'notification.access_decided.rejected', named)
    if (kind === 'landing_decided')
      return t(status === 'active' ? 'notification.landing_decided.active' : 'notification.landing_decided.stopped', named)
    if (kind === 'affiliate_status') {
      const changed = { ...named, status: affiliateTexts(`status.${status}` as 'status.active', { defaultValue: status }) }
      return t(affiliate === null ? 'notification.affiliate_status.own' : 'notification.affiliate_status', changed)
    }
    if (kind === 'cap_full' || kind === 'cap_nearly_full') {
      const period = cap(`period.${status}` as 'period.day', { defaultValue: '' })
      const product = productOfCap({ kind, reason })
      if (product !== null)
        return late(`tell.product_${kind}${product.whole ? '.own' : ''}`, { ...named, product: product.title, cap: period })
      const which = [`period.${status}` as 'period.day', ...(reason === '' ? [] : [`measure.${reason}` as 'measure.payout'])]
      return t(`notification.${kind}`, { ...named, cap: which.map((key) => cap(key, { defaultValue: '' })).join(' · ') })
    }
    if (kind === 'leads_silent' || kind === 'product_refused' || kind === 'product_failing')
      return late(`tell.${kind}`, { product: reason, count })
    if (kind === 'cold_rule_failing') return late('tell.cold_rule_failing', { rule: reason, count })
    if (kind === 'credit_near' || kind === 'credit_blocked') return t(`notification.${kind}`, { advertiser: reason, count })
    if (kind === 'invoice_objection' || kind === 'own_invoice') return late(own ? `tell.${kind}.own` : `tell.${kind}`, { ...named, reason })
    if (kind === 'ticket_message') return t('notification.ticket_message', { ...named, id: ticket?.id ?? '', ticket: ticket?.name ?? '' })
    if (kind === 'accounts_assigned') return t(`notification.accounts_assigned.${status as 'affiliate'}`, named) // one of its three kinds
    if (kind === 'system_problem')
      return t('notification.system_problem', {
        what: t(`notification.system.${status}` as 'notification.system.mail', { defaultValue: status }),
      })
    if (kind === 'domain_failing') return t('notification.domain_failing', { domain: reason })
    if (kind === 'domain_replaced')
      return t(status === '' ? 'notification.domain_replaced' : 'notification.domain_replaced.next', { domain: reason, next: status })
    if (kind === 'invoice_moved') return t(`notification.invoice_moved.${status}` as 'notification.invoice_moved.paid')
    if (kind === 'balance_changed') return late(`tell.${kind}.${status as 'bonus'}`, { reason }) // one of its kinds
    if (kind === 'request_decided' && status === 'open') return late(`tell.${kind}.open`)
    if (kind === 'request_decided')
      return t(status === 'accepted' ? 'notification.request_decided.accepted' : 'notification.request_decided')
    if (kind === 'payout_changed') return t(own ? 'notification.payout_changed.own' : 'notification.payout_changed', named)
    return t(`notification.${kind}`, named)
  }
}
