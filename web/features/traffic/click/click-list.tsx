import { Button } from '@mantine/core'
import { IconClick } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { landingApi } from '#contract/offers/landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { CLICK_KINDS, clickApi } from '#contract/traffic/click.ts'
import { CLICK_TEXTS, DETAIL_FILTERS } from '#contract/traffic/click-column.ts'
import { FILTER_IDS } from '#contract/traffic/dimension.ts'
import { STORED_REFUSALS } from '#contract/traffic/refusal.ts'
import { filterKey, useDimensionFilters } from '#web/click-fields.tsx'
import { clickBody, dayBefore } from '#web/features/traffic/click/click-body.ts'
import { clickColumns } from '#web/features/traffic/click/click-columns.tsx'
import { ClickPanel } from '#web/features/traffic/click/click-panel.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { DAYS, rawDaysFilter } from '#web/kit/list/days.ts'
import { choiceFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { useCan } from '#web/shell/access.ts'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'

const FILTERED = [...CLICK_TEXTS.filter((id) => id !== 'geo'), ...FILTER_IDS.filter((id) => id.startsWith('sub')), ...DETAIL_FILTERS]

/** Raw clicks, newest first: what came, from whom, and why some were refused. */
export function ClickList() {
  const { t } = useTranslation('click')
  const { t: dimension } = useTranslation('dimension')
  const { t: report } = useTranslation('report')
  const can = useCan()
  const countries = useCountryOptions()
  const sides = { affiliate: can('affiliate.read'), advertiser: can('report.money') }
  const found = useDimensionFilters(FILTERED)
  const list = useList(clickApi.list, {
    name: 'click',
    columns: useMemo(
      () => clickColumns({ t, dimension, report }, { affiliate: sides.affiliate, advertiser: sides.advertiser }),
      [t, dimension, report, sides.affiliate, sides.advertiser],
    ),
    rowKey: (row) => row.click_id ?? `${row.at} ${row.ip} ${row.ua}`,
    sort: { column: 'at', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      [DAYS]: rawDaysFilter(t('days')),
      kinds: choiceFilter(
        t('kind'),
        CLICK_KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
      ),
      [filterKey('reason')]: choiceFilter(
        dimension('reason'),
        STORED_REFUSALS.map((value) => ({ value, label: report(`code.${value}`) })),
      ),
      [filterKey('offer')]: referenceFilter(dimension('offer'), offerApi.options),
      ...(sides.affiliate && { [filterKey('affiliate')]: referenceFilter(dimension('affiliate'), affiliateApi.list) }),
      ...(sides.advertiser && { [filterKey('advertiser')]: referenceFilter(dimension('advertiser'), advertiserApi.options) }),
      [filterKey('landing')]: referenceFilter(dimension('landing'), landingApi.options, { type: ['landing'] }),
      [filterKey('prelanding')]: referenceFilter(dimension('prelanding'), landingApi.options, { type: ['prelanding'] }),
      [filterKey('geo')]: choiceFilter(dimension('geo'), countries),
      ...found,
    },
    toBody: clickBody,
  })
  const { open, hrefOf, close } = usePanelAddress('click')
  const lastYear = () => {
    const tomorrow = dayBefore(new Date().toISOString().slice(0, 10), -1)
    list.go({ filters: { [DAYS]: [dayBefore(tomorrow, 365), tomorrow] } })
  }
  return (
    <>
      <PageHeader title={t('section')} />
      <ScreenTabs below="/statistic/direct-link" label={t('section')} />
      <ListPage
        inner
        list={list}
        title={t('title')}
        empty={{
          icon: <IconClick size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: (
            <Button variant="default" onClick={lastYear}>
              {t('empty.older')}
            </Button>
          ),
        }}
        rowHref={({ click_id }) => (click_id === null ? undefined : hrefOf(click_id))}
        rowActions={undefined}
        exportName="clicks"
      />
      {open !== null && <ClickPanel clickId={open} onClose={close} />}
    </>
  )
}
