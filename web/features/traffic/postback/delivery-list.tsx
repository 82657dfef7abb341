import { Button } from '@mantine/core'
import { IconEye, IconRefresh, IconSend } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { affiliatePostbackApi } from '#contract/traffic/affiliate-postback.ts'
import { DELIVERY_STATES, ownPostbackApi } from '#contract/traffic/postback.ts'
import { useSave } from '#web/api/query.ts'
import { DeliveryDetails, type Delivery } from '#web/features/traffic/postback/delivery-details.tsx'
import { integer, UNKNOWN } from '#web/format.ts'
import { choiceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { useCan } from '#web/shell/access.ts'

const TONES: Record<Delivery['state'], Tone> = { queued: 'waiting', sent: 'good', dead: 'bad', held: 'muted' }

/** Every postback that was sent, waits, or was given up: the own, or for staff those of `affiliate`; chosen ones are sent again. */
export function DeliveryList({ affiliate }: { affiliate?: string }) {
  const { t } = useTranslation('postback')
  const can = useCan()
  const [opened, setOpened] = useState<Delivery>()
  const replay = useSave(ownPostbackApi.replay, { invalidate: [ownPostbackApi.deliveries] })
  const replayTheirs = useSave(affiliatePostbackApi.replay, { invalidate: [affiliatePostbackApi.deliveries] })
  const list = useList(affiliate === undefined ? ownPostbackApi.deliveries : affiliatePostbackApi.deliveries, {
    name: 'delivery',
    columns: useMemo(() => deliveryColumns(t), [t]),
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
        rowHref={undefined}
        rowActions={(one) => [
          { id: 'details', label: t('delivery.open'), icon: <IconEye size={16} aria-hidden />, onClick: () => setOpened(one) },
          ...(mayReplay
            ? [{ id: 'replay', label: t('replay'), icon: <IconRefresh size={16} aria-hidden />, onClick: () => again([one.uuid]) }]
            : []),
        ]}
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
      {opened && <DeliveryDetails of={opened} affiliate={affiliate} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function deliveryColumns(t: TFunction<'postback'>): Column<Delivery>[] {
  return [
    { id: 'created_at', header: t('created'), cell: (one) => <Moment at={one.created_at} />, width: 140, card: 'title' },
    {
      id: 'state',
      header: t('state'),
      cell: (one) => <StatusBadge tone={TONES[one.state]} label={t(`state.${one.state}`)} />,
      width: 130,
      card: 'field',
    },
    { id: 'http_status', header: t('answer'), cell: (one) => one.http_status ?? (one.error || UNKNOWN), width: 150, card: 'field' },
    {
      id: 'url',
      header: t('url'),
      cell: ({ url }) => (
        <span className="ohma-clip" title={url}>
          {url}
        </span>
      ),
      width: 300,
      grow: true,
      card: 'field',
    },
    { id: 'tries', header: t('tries'), cell: (one) => integer(one.tries), numeric: true, width: 90, card: 'field' },
    { id: 'next_try_at', header: t('nextTry'), cell: (one) => <Moment at={one.next_try_at} />, width: 140 },
  ]
}
