import { Button } from '@mantine/core'
import { IconRefresh, IconSend } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { z } from 'zod'
import { DELIVERY_STATES, ownPostbackApi, type delivery } from '#contract/traffic/postback.ts'
import { useSave } from '#web/api/query.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { choiceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { ShortText } from '#web/kit/show/short-text.tsx'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import type { Column } from '#web/kit/table/column.ts'

type Delivery = z.output<typeof delivery>

const TONES: Record<Delivery['state'], Tone> = { queued: 'waiting', sent: 'good', dead: 'bad', held: 'muted' }

/** Every postback that was sent, waits, or was given up; chosen ones are sent again. */
export function DeliveryList() {
  const { t } = useTranslation('postback')
  const replay = useSave(ownPostbackApi.replay, { invalidate: [ownPostbackApi.deliveries] })
  const list = useList(ownPostbackApi.deliveries, {
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
  })
  const again = (uuids: string[]) => replay.mutate({ body: { delivery_uuids: uuids } })
  return (
    <ListPage
      list={list}
      title={t('tab.deliveries')}
      inner
      empty={{ icon: <IconSend size={26} stroke={1.6} aria-hidden />, title: t('noDeliveries.title'), text: t('noDeliveries.text') }}
      rowHref={undefined}
      rowActions={(one) => [
        { id: 'replay', label: t('replay'), icon: <IconRefresh size={16} aria-hidden />, onClick: () => again([one.uuid]) },
      ]}
      bulkActions={
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() => again(list.chosen().map(({ uuid }) => uuid))}
        >
          {t('replay')}
        </Button>
      }
      exportName={undefined}
    />
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
    { id: 'url', header: t('url'), cell: (one) => <ShortText text={one.url} />, width: 300, grow: true },
    { id: 'tries', header: t('tries'), cell: (one) => integer(one.tries), numeric: true, width: 90, card: 'field' },
    { id: 'next_try_at', header: t('nextTry'), cell: (one) => <Moment at={one.next_try_at} />, width: 140, card: 'field' },
  ]
}
