import { Button } from '@mantine/core'
import { IconRefresh, IconSend } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Say } from '#web/i18n/use-translation.ts'
import { affiliatePostbackApi } from '#contract/traffic/affiliate-postback.ts'
import { DELIVERY_STATES } from '#contract/traffic/postback.ts'
import { deliveryFilters, ownPostbackApi } from '#contract/traffic/own-postback.ts'
import { useSave } from '#web/api/query.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { DeliveryDetails } from '#web/features/traffic/postback/delivery-details.tsx'
import { DeliveryStateBadge, type Delivery } from '#web/features/traffic/postback/delivery-state.tsx'
import { integer, UNKNOWN } from '#web/format.ts'
import { choiceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { useCan } from '#web/shell/access.ts'

/** Every postback that was sent, waits, or was given up: the own, or for staff those of `affiliate`; chosen ones are sent again. */
export function DeliveryList({ affiliate }: { affiliate?: string }) {
  const { t } = useTranslation('postback')
  const can = useCan()
  const { open, hrefOf, close } = usePanelAddress('delivery')
  const words = useDeliveryWords()
  const replay = useSave(ownPostbackApi.replay, { invalidate: [ownPostbackApi.deliveries] })
  const replayTheirs = useSave(affiliatePostbackApi.replay, { invalidate: [affiliatePostbackApi.deliveries] })
  const list = useList(affiliate === undefined ? ownPostbackApi.deliveries : affiliatePostbackApi.deliveries, {
    name: 'delivery',
    columns: useMemo(() => deliveryColumns(t, words), [t, words]),
    rowKey: (one) => one.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    filters: {
      state: choiceFilter(
        t('state'),
        DELIVERY_STATES.map((state) => ({ value: state, label: t(`state.${state}`) })),
      ),
    },
    fixed: affiliate === undefined ? {} : { affiliate_uuid: affiliate },
  })
  const mayReplay = affiliate === undefined || can('affiliate.write')
  const again = (delivery_uuids: string[]) => {
    if (affiliate === undefined) replay.mutate({ body: { delivery_uuids } })
    else replayTheirs.mutate({ body: { affiliate_uuid: affiliate, delivery_uuids } })
  }
  return (
    <>
      <ListPage
        list={list}
        title={t('tab.deliveries')}
        inner
        empty={{
          icon: <IconSend size={26} stroke={1.6} aria-hidden />,
          title: t('noDeliveries.title'),
          text: t(affiliate === undefined ? 'noDeliveries.text' : 'noDeliveries.theirs'),
        }}
        rowHref={({ uuid }) => hrefOf(uuid)}
        rowActions={
          mayReplay
            ? (one) => [{ id: 'replay', label: t('replay'), icon: <IconRefresh size={16} aria-hidden />, onClick: () => again([one.uuid]) }]
            : undefined
        }
        bulkActions={
          mayReplay && (
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
      {open !== null && <DeliveryDetails uuid={open} affiliate={affiliate} onClose={close} />}
    </>
  )
}

function deliveryColumns(t: Say<'postback'>, words: (error: string) => string): Column<Delivery>[] {
  const columns: Column<Delivery>[] = [
    { id: 'created_at', header: t('created'), cell: (one) => <Moment at={one.created_at} log />, whole: true, card: 'title' },
    {
      id: 'state',
      header: t('state'),
      cell: (one) => <DeliveryStateBadge state={one.state} />,
      whole: true,
      card: 'field',
    },
    { id: 'conversion', header: t('delivery.of'), cell: (one) => one.conversion.id, whole: true },
    {
      id: 'http_status',
      header: t('answer'),
      cell: (one) => (one.http_status !== null ? `HTTP ${one.http_status}` : one.error === '' ? UNKNOWN : words(one.error)),
      wrap: true,
      width: 170,
      card: 'field',
    },
    {
      id: 'url',
      header: t('url'),
      cell: ({ url }) => <CopyText text={url} tail={24} />,
      width: 300,
      card: 'field',
    },
    { id: 'tries', header: t('tries'), cell: (one) => integer(one.tries), numeric: true, card: 'field' },
    { id: 'next_try_at', header: t('nextTry'), cell: (one) => <Moment at={one.next_try_at} log />, whole: true },
  ]
  return columns.map((column) => (SORTED.has(column.id) ? { sort: column.id, ...column } : column))
}

const SORTED: ReadonlySet<string> = new Set(deliveryFilters.shape.sort.unwrap().options)
