import { Button, Drawer, Group, List, Stack } from '@mantine/core'
import { IconRefresh, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Say } from '#web/i18n/use-translation.ts'
import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DELIVERY_STATES } from '#contract/traffic/postback.ts'
import { affiliateWebhookApi, ownWebhookApi, type OwnWebhook, type OwnWebhookDelivery } from '#contract/traffic/own-webhook.ts'
import { query, useSave } from '#web/api/query.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { choiceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'

const TONES = { queued: 'waiting', sent: 'good', dead: 'bad', held: 'muted' } as const

/** Everything webhooks were sent: the own ones, or for staff, who only look, those of `affiliate`. */
export function WebhookLog({ webhooks, affiliate }: { webhooks: readonly OwnWebhook[]; affiliate?: string }) {
  const { t } = useTranslation('webhook')
  const words = useDeliveryWords()
  const { open, hrefOf, close } = usePanelAddress('message')
  const replay = useSave(ownWebhookApi.replay, {
    invalidate: [ownWebhookApi.list, ownWebhookApi.deliveries],
    onSuccess: ({ queued }) => notify.success(t('replayFailed.done', { count: queued })),
  })
  const own = affiliate === undefined
  const list = useList(own ? ownWebhookApi.deliveries : affiliateWebhookApi.deliveries, {
    name: 'webhook-log',
    columns: useMemo(() => logColumns(t, words), [t, words]),
    rowKey: ({ uuid }) => uuid,
    sort: { column: 'created_at', direction: 'desc' },
    filters: {
      state: choiceFilter(
        t('state'),
        DELIVERY_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
      ),
      ...(webhooks.length > 1 && {
        webhook_uuid: choiceFilter(
          t('one'),
          webhooks.map(({ uuid, url }) => ({ value: uuid, label: url })),
        ),
      }),
    },
    fixed: own ? {} : { affiliate_uuid: affiliate },
  })
  const again = (delivery_uuids: string[]) => replay.mutate({ body: { delivery_uuids } })
  return (
    <>
      <ListPage
        list={list}
        title={t('log')}
        inner
        empty={{ icon: <IconWebhook size={26} stroke={1.6} aria-hidden />, title: t('noLog.title'), text: t('noLog.text') }}
        rowHref={own ? ({ uuid }) => hrefOf(uuid) : undefined}
        rowActions={
          own
            ? ({ uuid }) => [
                { id: 'replay', label: t('replay'), icon: <IconRefresh size={16} aria-hidden />, onClick: () => again([uuid]) },
              ]
            : undefined
        }
        bulkActions={
          own && (
            <Button
              size="compact-sm"
              variant="light"
              leftSection={<IconRefresh size={14} aria-hidden />}
              onClick={() => again(list.chosen().map(({ uuid }) => uuid))}
            >
              {t('replay')}
            </Button>
          )
        }
        exportName={undefined}
      />
      {own && open !== null && <Message uuid={open} onClose={close} />}
    </>
  )
}

function logColumns(t: Say<'webhook'>, words: (error: string) => string): Column<OwnWebhookDelivery>[] {
  return [
    {
      id: 'created_at',
      header: t('created_at'),
      sort: 'created_at',
      cell: (one) => <Moment at={one.created_at} log />,
      whole: true,
      card: 'title',
    },
    { id: 'type', header: t('type'), sort: 'type', cell: (one) => t(`event.${one.type}`), wrap: true, width: 190, card: 'field' },
    {
      id: 'state',
      header: t('state'),
      sort: 'state',
      cell: (one) => <StatusBadge tone={TONES[one.state]} label={t(`state.${one.state}`)} />,
      whole: true,
      card: 'field',
    },
    {
      id: 'http_status',
      header: t('answer'),
      sort: 'http_status',
      cell: (one) => (one.http_status !== null ? `HTTP ${one.http_status}` : one.error === '' ? UNKNOWN : words(one.error)),
      wrap: true,
      width: 170,
      card: 'field',
    },
    { id: 'url', header: t('url'), cell: ({ url }) => <CopyText text={url} tail={24} />, width: 260 },
    { id: 'tries', header: t('tries'), sort: 'tries', cell: (one) => integer(one.tries), numeric: true, card: 'field' },
    { id: 'next_try_at', header: t('nextTry'), sort: 'next_try_at', cell: (one) => <Moment at={one.next_try_at} log />, whole: true },
  ]
}

/** One message with what was sent and every attempt. */
function Message({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation('webhook')
  const words = useDeliveryWords()
  const found = useQuery(query(ownWebhookApi.delivery, { params: { uuid } }, { quiet: true }))
  return (
    <Drawer opened onClose={onClose} position="right" size={640} title={t('message')}>
      <QueryPage query={found} failed={t('message.failed')}>
        {(of) => (
          <Stack miw={0}>
            <Group gap="4px 14px">
              <StatusBadge tone={TONES[of.state]} label={t(`state.${of.state}`)} />
              <span>{t(`event.${of.type}`)}</span>
            </Group>
            <Panel title={t('message.id')}>
              <CopyText text={of.message} />
            </Panel>
            <Panel title={t('message.body')}>
              <RawText>{`POST ${of.url}\n\n${of.body}`}</RawText>
            </Panel>
            <Panel title={t('tries')}>
              {of.attempts.length === 0 && <p>{t('message.none')}</p>}
              <List type="ordered" spacing={10}>
                {of.attempts.map((attempt) => (
                  <List.Item key={attempt.at}>
                    <Group gap="4px 14px">
                      <Moment at={attempt.at} log />
                      {attempt.http_status !== null && <span>HTTP {attempt.http_status}</span>}
                      <span>{t('message.took', { ms: integer(attempt.duration_ms) })}</span>
                      {words(attempt.error)}
                    </Group>
                    {attempt.response !== '' && <RawText>{attempt.response}</RawText>}
                  </List.Item>
                ))}
              </List>
            </Panel>
          </Stack>
        )}
      </QueryPage>
    </Drawer>
  )
}
