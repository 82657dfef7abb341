import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { productHealthApi, type ProductHealth } from '#contract/leads/product-health.ts'
import { callReasonWords } from '#web/call-reason.ts'
import { UNKNOWN } from '#web/format.ts'
import { column, reference, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Until } from '#web/kit/show/until.tsx'
import type { Words } from '#web/kit/status/status-look.ts'
import { screenHref, useScreens } from '#web/shell/access.ts'

const saidBy = ({ reasons }: ProductHealth, t: Words) => callReasonWords(reasons.find(({ status }) => status === 'error')?.reason ?? '', t)

const COLUMNS: Columns<ProductHealth, 'userSession'> = [
  text('title', { header: 'product', sort: true, width: 220, card: 'title' }),
  reference('advertiser', { sort: true, width: 180, card: 'field' }),
  column<ProductHealth, 'state', 'stopped.why'>('state', {
    header: 'stopped.why',
    width: 260,
    card: 'field',
    cell: ({ state }, t) => t(`stopped.${state}`, { defaultValue: state }),
    csv: ({ state }) => state,
  }),
  column<ProductHealth, 'until', 'stopped.until'>('until', {
    header: 'stopped.until',
    card: 'field',
    cell: ({ until: at }) => (at === null ? UNKNOWN : <Until at={at} />),
    csv: ({ until: at }) => at,
  }),
  column<ProductHealth, 'reasons', 'stopped.said'>('reasons', {
    header: 'stopped.said',
    width: 320,
    card: 'field',
    cell: (row, t) => saidBy(row, t) || UNKNOWN,
    csv: saidBy,
  }),
]

/** Products nobody is offered to: their account was refused, or they made too many errors in a row. Opened where they are tested. */
export function StoppedProducts() {
  const { t } = useTranslation('userSession')
  const screens = useScreens()
  const list = useList(productHealthApi.list, {
    name: 'stopped-products',
    columns: useColumns('userSession', COLUMNS),
    rowKey: ({ uuid }) => uuid,
    fixed: { stopped: true },
    sort: { column: 'title', direction: 'asc' },
    filters: {},
    otherKeys: ['tab'],
  })
  return (
    <ListPage
      inner
      list={list}
      title={t('tab.stopped')}
      empty={{
        icon: <IconPlugConnectedX size={26} stroke={1.6} aria-hidden />,
        title: t('empty.stopped'),
        text: t('empty.stoppedText'),
      }}
      rowHref={
        screens.has('advertiserEdit')
          ? ({ uuid, advertiser }) => `${screenHref('advertiserEdit', { uuid: advertiser.uuid })}?tab=products&product=${uuid}`
          : undefined
      }
      rowActions={undefined}
      exportName="stopped-products"
    />
  )
}
