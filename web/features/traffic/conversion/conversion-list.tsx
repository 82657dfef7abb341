import { Button } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { CONVERSION_FILTERS, CONVERSION_STATUSES, conversionApi } from '#contract/traffic/conversion.ts'
import { landingApi } from '#contract/offers/landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { dimensionsToFilters, useDimensionFilters } from '#web/click-fields.tsx'
import { conversionColumns } from '#web/features/traffic/conversion/conversion-columns.tsx'
import { useConversionPanel } from '#web/features/traffic/conversion/conversion-panel.tsx'
import { useDecisions } from '#web/features/traffic/conversion/use-decisions.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { DAYS, daysToMoments, rawDaysFilter } from '#web/kit/list/days.ts'
import { choiceFilter, referenceFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'

/** Raw conversions: found, judged one by one or many at once, exported. */
export function ConversionList() {
  const { t } = useTranslation('conversion')
  const { t: dimension } = useTranslation('dimension')
  const { t: report } = useTranslation('report')
  const can = useCan()
  const zone = useZone()
  const countries = useCountryOptions()
  const staff = can('report.money')
  const { t: click } = useTranslation('click')
  const found = useDimensionFilters(CONVERSION_FILTERS)
  const list = useList(conversionApi.list, {
    name: 'conversion',
    columns: useMemo(() => conversionColumns({ t, dimension, report, click }, staff, zone), [t, dimension, report, click, staff, zone]),
    rowKey: (row) => row.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      [DAYS]: rawDaysFilter(t('received')),
      status: choiceFilter(
        t('status'),
        CONVERSION_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      ),
      offer_uuid: referenceFilter(dimension('offer'), offerApi.options),
      ...(can('affiliate.read') && { affiliate_uuid: referenceFilter(dimension('affiliate'), affiliateApi.list) }),
      ...(can('advertiser.read') && { advertiser_uuid: referenceFilter(dimension('advertiser'), advertiserApi.options) }),
      landing_uuid: referenceFilter(dimension('landing'), landingApi.options, { type: ['landing'] }),
      prelanding_uuid: referenceFilter(dimension('prelanding'), landingApi.options, { type: ['prelanding'] }),
      goal: textsFilter(t('goalCode')),
      geo: choiceFilter(dimension('geo'), countries),
      ...found,
    },
    toBody: (body) => dimensionsToFilters(daysToMoments(body, zone)),
  })
  const { hrefOf, panel } = useConversionPanel()
  const { mayDecide, start, actionsFor, dialog } = useDecisions(() => list.select(new Set()))
  return (
    <>
      <PageHeader title={t('section')} />
      <ScreenTabs below="/statistic/direct-link" label={t('section')} />
      <ListPage
        inner
        list={list}
        title={t('title')}
        empty={{ icon: <IconChecks size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text') }}
        rowHref={can('conversion.detail') ? (row) => screenHref('statisticConversionDetail', { uuid: row.uuid }) : hrefOf}
        rowActions={mayDecide ? actionsFor : undefined}
        bulkActions={
          mayDecide ? (
            <>
              <Button size="compact-sm" variant="light" onClick={() => start(list.chosen(), 'approved')}>
                {t('decide.approved')}
              </Button>
              <Button size="compact-sm" variant="light" color="red" onClick={() => start(list.chosen(), 'declined')}>
                {t('decide.declined')}
              </Button>
              <Button size="compact-sm" variant="light" color="gray" onClick={() => start(list.chosen(), 'trash')}>
                {t('decide.trash')}
              </Button>
            </>
          ) : undefined
        }
        exportName="conversions"
      />
      {dialog}
      {panel}
    </>
  )
}
