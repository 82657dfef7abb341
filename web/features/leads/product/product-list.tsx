import { Button } from '@mantine/core'
import { IconArchive, IconPlayerPause, IconPlayerPlay, IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { productApi, productStatus, type Product } from '#contract/leads/product.ts'
import { ProductReady } from '#web/features/leads/product/product-ready.tsx'
import { SHOW_PRODUCT } from '#web/features/leads/product/show-product.ts'
import { column, idColumn, moment, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { statusSet } from '#web/kit/status/status-look.ts'
import { StatusMenu } from '#web/kit/status/status-menu.tsx'
import { useStatus, useStatusOptions } from '#web/kit/status/use-status.tsx'
import { screenHref } from '#web/shell/access.ts'

export const PRODUCT_STATUS = statusSet({
  texts: 'product',
  values: productStatus.options,
  tones: { active: 'good', paused: 'waiting', archived: 'muted' },
  endpoint: productApi.setStatus,
  refresh: SHOW_PRODUCT,
  moves: [
    { text: 'pause', to: 'paused', from: ['active'], icon: IconPlayerPause },
    { text: 'resume', to: 'active', from: ['paused', 'archived'], icon: IconPlayerPlay },
    { text: 'archive', to: 'archived', from: ['active', 'paused'], icon: IconArchive },
  ],
})

const COLUMNS: Columns<Product, 'product'> = [
  idColumn(),
  text('title', { header: 'name', sort: true, width: 200, card: 'title' }),
  column<Product, 'integration'>('integration', {
    sort: true,
    width: 200,
    card: 'field',
    cell: ({ integration, version_number }, t) => t('integrationVersion', { name: integration.name, number: version_number }),
    csv: ({ integration }) => integration.name,
  }),
  column<Product, 'ready'>('ready', {
    width: 200,
    card: 'field',
    cell: (one) => <ProductReady of={one} />,
    csv: ({ ready }) => (ready ? 'yes' : 'no'),
  }),
  status(PRODUCT_STATUS, { sort: true }),
  column<Product, 'geos'>('geos', {
    width: 140,
    cell: ({ geos }, t) => (geos.length === 0 ? <span className="ohma-soft">{t('geos.any')}</span> : geos.join(', ')),
    csv: ({ geos }) => geos.join(' '),
  }),
  text('host', { width: 220, hidden: true }),
  moment('tested_at', { sort: true, hidden: true }),
  moment('created_at', { sort: true, hidden: true }),
]

type Props = { advertiser: { uuid: string; name: string }; onNew: () => void }

/** Every account of an advertiser in systems that take leads, and whether each was tested. */
export function ProductList({ advertiser, onNew }: Props) {
  const { t } = useTranslation('product')
  const { actionsFor } = useStatus(PRODUCT_STATUS)
  const list = useList(productApi.list, {
    name: 'product',
    columns: useColumns('product', COLUMNS),
    rowKey: ({ uuid }) => uuid,
    fixed: { advertiser_uuid: [advertiser.uuid] },
    leftOut: { status: 'archived' },
    sort: { column: 'id', direction: 'desc' },
    filters: { search: searchFilter(t('search')), status: choiceFilter(t('status'), useStatusOptions(PRODUCT_STATUS)) },
  })
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onNew}>
      {t('add')}
    </Button>
  )
  return (
    <ListPage
      list={list}
      title={t('title')}
      inner
      actions={add}
      empty={{ icon: <IconPlugConnected size={26} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
      rowHref={({ uuid }) => `${screenHref('advertiserEdit', { uuid: advertiser.uuid })}?tab=products&product=${uuid}`}
      rowActions={actionsFor}
      bulkActions={<StatusMenu list={list} of={PRODUCT_STATUS} />}
      exportName="products"
    />
  )
}
