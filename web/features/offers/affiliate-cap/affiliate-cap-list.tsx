import { Progress } from '@mantine/core'
import { IconGauge } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { affiliateCap } from '#contract/offers/offer-cap.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { capAmount, capTitle } from '#web/cap-words.ts'
import { integer } from '#web/format.ts'
import { column, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { screenHref } from '#web/shell/access.ts'
import type english from './affiliate-cap.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    affiliateCap: typeof english
  }
}

type Cap = z.output<typeof affiliateCap>

const COLUMNS: Columns<Cap, 'affiliateCap'> = [
  column('offer', { sort: true, width: 220, card: 'title', cell: ({ offer }: Cap) => offer.name, csv: ({ offer }) => offer.name }),
  column('cap', { width: 220, card: 'field', cell: (cap: Cap) => capTitle(cap), csv: (cap) => capTitle(cap) }),
  column('used', {
    numeric: true,
    card: 'field',
    cell: (cap: Cap) => capAmount(cap, cap.used, cap.currency),
    csv: ({ used }) => used,
  }),
  column('limit', {
    numeric: true,
    card: 'field',
    cell: (cap: Cap) => capAmount(cap, cap.limit, cap.currency),
    csv: ({ limit }) => limit,
  }),
  column('level', { hint: true, width: 190, card: 'field', cell: (cap: Cap) => <Level of={cap} />, csv: ({ percent }) => percent }),
]

/** The caps that hold for one affiliate, and how far each is filled in the period that runs. */
export function AffiliateCapList({ affiliate, id }: { affiliate: string; id: number }) {
  const { t } = useTranslation('affiliateCap')
  const list = useList(offerApi.affiliateCaps, {
    name: 'affiliate-cap',
    columns: useColumns('affiliateCap', COLUMNS),
    rowKey: (cap) => `${cap.offer.uuid} ${cap.period} ${cap.scope} ${cap.measure}`,
    sort: { column: 'offer', direction: 'asc' },
    filters: { search: searchFilter(t('search')) },
    fixed: { affiliate_uuid: affiliate },
  })
  return (
    <ListPage
      inner
      list={list}
      title={t('title')}
      empty={{ icon: <IconGauge size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text') }}
      rowHref={({ offer }) => screenHref('offerDetailDirect', { uuid: offer.uuid })}
      rowActions={undefined}
      exportName={`affiliate-${id}-caps`}
    />
  )
}

function Level({ of: cap }: { of: Cap }) {
  const { t } = useTranslation('affiliateCap')
  return (
    <span style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
      <Progress
        value={Math.max(0, Math.min(100, cap.percent))}
        aria-label={`${cap.offer.name}: ${capTitle(cap)}`}
        color={cap.percent >= 100 ? 'red' : undefined}
        style={{ flex: '0 0 90px' }}
      />
      <span className="ohma-number">{integer(cap.percent)} %</span>
      {cap.percent > 100 && <span className="ohma-soft">{t('over')}</span>}
    </span>
  )
}
