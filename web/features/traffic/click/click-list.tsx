import { Button } from '@mantine/core'
import { IconClick } from '@tabler/icons-react'
import type { Say } from '#web/i18n/use-translation.ts'
import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { CLICK_KINDS, clickApi, clickTotals } from '#contract/traffic/click.ts'
import { DETAIL_FILTERS } from '#contract/traffic/click-column.ts'
import { FILTER_IDS } from '#contract/traffic/dimension.ts'
import { dimensionsToFilters } from '#web/click-fields.tsx'
import { clickColumns } from '#web/features/traffic/click/click-columns.tsx'
import { ClickPanel } from '#web/features/traffic/click/click-panel.tsx'
import { periodBody, readPeriod, readZone, writePeriod } from '#web/kit/list/asked-period.ts'
import { heldIn } from '#web/kit/list/condition.ts'
import { choiceFilter, periodFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { RenewedAddress } from '#web/kit/list/renewed-address.tsx'
import { integer } from '#web/format.ts'
import { addDays } from '#web/period.ts'
import { useCan } from '#web/shell/access.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'
import { carried, REPORT_KEYS, OLD_NAMES } from '#web/traffic-address.ts'
import { useStatisticPart } from '#web/statistic-part.ts'
import { trafficFile } from '#web/traffic-file.ts'
import { useForeignFilters, useTrafficFilters } from '#web/traffic-filters.ts'
import { UsualPeriod } from '#web/usual-period.tsx'

const OWN = [...FILTER_IDS.filter((id) => id !== 'goal' && id !== 'product'), ...DETAIL_FILTERS]
const USUAL = { preset: 'last_30_days', from: null, to: null } as const

/** Raw clicks, newest first: what came, from whom, and why some were refused. */
export function ClickList() {
  return (
    <RenewedAddress names={OLD_NAMES}>
      <UsualPeriod>
        <Clicks />
      </UsualPeriod>
    </RenewedAddress>
  )
}

function Clicks() {
  const { t } = useTranslation('click')
  const { t: dimension } = useTranslation('dimension')
  const { t: report } = useTranslation('report')
  const can = useCan()
  const sides = { affiliate: can('affiliate.read'), advertiser: can('report.money') }
  const [search] = useSearchParams()
  const own = useZone()
  const period = readPeriod(heldIn(search)) ?? USUAL
  const zone = readZone(heldIn(search)) ?? own
  const part = useStatisticPart()
  const { t: screen } = useTranslation('screen')
  const list = useList(clickApi.list, {
    name: part.named('click'),
    fixed: { offer_type: part.type },
    columns: useMemo(
      () => clickColumns({ t, dimension, report }, { affiliate: sides.affiliate, advertiser: sides.advertiser }),
      [t, dimension, report, sides.affiliate, sides.advertiser],
    ),
    rowKey: (row) => row.click_id ?? `${row.at} ${row.ip} ${row.ua}`,
    sort: { column: 'at', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      ...useForeignFilters(),
      _period: periodFilter(t('days'), USUAL),
      kinds: choiceFilter(
        t('kind'),
        CLICK_KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
      ),
      ...useTrafficFilters(OWN, periodBody(period)),
    },
    toBody: dimensionsToFilters,
    otherKeys: ['click', ...REPORT_KEYS],
    loadedInOwnOrder: true,
  })
  const { open, hrefOf, show, close } = usePanelAddress('click')
  const lastYear = () => {
    const today = new Date().toISOString().slice(0, 10)
    const held = Object.entries(writePeriod({ preset: 'custom', from: addDays(today, -365), to: today }))
    list.go({ filters: Object.fromEntries(held.map(([key, values]) => [key, values ?? []])) })
  }
  return (
    <>
      <PageHeader
        title={screen(part.general)}
        tabs={<ScreenTabs below={part.below} label={screen(part.general)} carried={carried(search, USUAL.preset)} />}
      />
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
        totalsText={(totals) => totalsWords(t, totals)}
        exportName={trafficFile({ what: 'clicks', days: period, zone })}
      />
      {open !== null && (
        <ClickPanel clickId={open} among={(list.rows ?? []).flatMap(({ click_id }) => click_id ?? [])} onShow={show} onClose={close} />
      )}
    </>
  )
}

/** How many of each kind there are, those without any left out, and of how many visitors. */
function totalsWords(t: Say<'click'>, totals: Readonly<Record<string, unknown>>): string {
  const { data: counts } = CLICK_TOTALS.safeParse(totals)
  if (counts === undefined) return ''
  const kinds = CLICK_KINDS.filter((kind) => counts[kind] > 0).map((kind) => t(`total.${kind}`, { number: integer(counts[kind]) }))
  return [...kinds, ...(counts.uniques ? [t('total.uniques', { number: integer(counts.uniques) })] : [])].join(', ')
}

const CLICK_TOTALS = z.object(clickTotals)
