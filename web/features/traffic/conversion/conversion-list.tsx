import { Button } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { dimensionsToFilters } from '#web/click-fields.tsx'
import { useConversionColumns } from '#web/features/traffic/conversion/conversion-columns.tsx'
import { useConversionFilters } from '#web/features/traffic/conversion/conversion-filters.ts'
import { useConversionPanel } from '#web/features/traffic/conversion/conversion-panel.tsx'
import { RowDecisions } from '#web/features/traffic/conversion/status-cell.tsx'
import { useDecisions } from '#web/features/traffic/conversion/use-decisions.tsx'
import { readPeriod, readZone } from '#web/kit/list/asked-period.ts'
import { heldIn } from '#web/kit/list/condition.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { RenewedAddress } from '#web/kit/list/renewed-address.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { useCan } from '#web/shell/access.ts'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'
import { LIFE } from '#web/conversion-words.ts'
import { ConversionImportButton } from '#web/conversion-import.tsx'
import { HistoryProofButton } from '#web/history-proof.tsx'
import { carried, REPORT_KEYS, OLD_NAMES } from '#web/traffic-address.ts'
import { useStatisticPart } from '#web/statistic-part.ts'
import { useTrafficTypeFilter } from '#web/traffic-type-filter.ts'
import { trafficFile } from '#web/traffic-file.ts'
import { WayButton } from '#web/shell/way-button.tsx'

/** Raw conversions: found, judged one by one or many at once, exported. */
export function ConversionList() {
  return (
    <RenewedAddress names={OLD_NAMES}>
      <Conversions />
    </RenewedAddress>
  )
}

function Conversions() {
  const { t } = useTranslation('conversion')
  const can = useCan()
  const [search] = useSearchParams()
  const zone = useZone()
  const staff = can('report.money')
  const part = useStatisticPart()
  const { t: screen } = useTranslation('screen')
  const traffic = useTrafficTypeFilter('search')
  const list = useList(conversionApi.list, {
    name: part.named('conversion'),
    fixed: { offer_type: part.type },
    columns: useConversionColumns(staff, zone, part.type),
    rowKey: (row) => row.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    filters: { ...useConversionFilters(), ...(part.type === 'api' && traffic) },
    toBody: dimensionsToFilters,
    otherKeys: [LIFE, 'import', ...REPORT_KEYS],
  })
  const { hrefOf, panelOf } = useConversionPanel()
  const { mayDecide, start, actionsFor, dialog } = useDecisions(() => list.select(new Set()))
  return (
    <RowDecisions value={actionsFor}>
      <PageHeader
        title={screen(part.general)}
        tabs={<ScreenTabs below={part.below} label={screen(part.general)} carried={carried(search, null)} />}
        actions={can('balance.own') ? <HistoryProofButton /> : mayDecide && <ConversionImportButton refresh={[conversionApi.list]} />}
      />
      <ListPage
        inner
        list={list}
        title={t('title')}
        empty={{
          icon: <IconChecks size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t(staff ? 'empty.text' : 'empty.own'),
          action: staff ? (
            <WayButton to="advertisers" label={t('empty.advertisers')} />
          ) : (
            <WayButton to="partnerOffersLive" label={t('empty.offers')} />
          ),
        }}
        rowHref={hrefOf}
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
              <Button size="compact-sm" variant="light" color="red" onClick={() => start(list.chosen(), 'trash')}>
                {t('decide.trash')}
              </Button>
            </>
          ) : undefined
        }
        exportName={trafficFile({
          what: 'conversions',
          days: readPeriod(heldIn(search)),
          zone: readZone(heldIn(search)) ?? zone,
          currency: 'each',
        })}
      />
      {dialog}
      {panelOf(list.rows ?? [])}
    </RowDecisions>
  )
}
