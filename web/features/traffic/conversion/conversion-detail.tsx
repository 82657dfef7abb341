import { Stack } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Navigate } from 'react-router'
import { href } from '#contract/screens.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { reasonOf } from '#web/conversion-words.ts'
import { nameOf } from '#web/features/traffic/conversion/conversion-columns.tsx'
import { ConversionFacts } from '#web/features/traffic/conversion/conversion-facts.tsx'
import type { ConversionLife } from '#web/features/traffic/conversion/conversion-life.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import { ConversionTimeline } from '#web/features/traffic/conversion/conversion-timeline.tsx'
import { ConversionVerdicts } from '#web/features/traffic/conversion/conversion-verdicts.tsx'
import { nextStep, useDecisions } from '#web/features/traffic/conversion/use-decisions.tsx'
import { date } from '#web/format.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { partOf, useStatisticPart } from '#web/statistic-part.ts'
import { PageActions } from '#web/kit/table/page-actions.tsx'

/** The why-page: everything that happened to one conversion, and which checks it passed. */
export function ConversionDetail() {
  const { t } = useTranslation('conversion')
  const { type, conversion: screen } = useStatisticPart()
  return (
    <DetailPage screen={screen} endpoint={conversionApi.get} failed={t('failed')} uuidOf={({ conversion }) => conversion.uuid}>
      {(life) => (
        <>
          {/* links from elsewhere do not know of what type its offer is */}
          {life.conversion.offer_type !== type && (
            <Navigate to={href(partOf(life.conversion.offer_type).conversion, { uuid: life.conversion.uuid })} replace />
          )}
          <Header conversion={life.conversion} />
          <PageColumns first="story">
            <ConversionTimeline life={life} />
            <Stack miw={0}>
              <ConversionFacts life={life} />
              <ConversionVerdicts verdicts={life.verdicts} />
            </Stack>
          </PageColumns>
        </>
      )}
    </DetailPage>
  )
}

function Header({ conversion }: { conversion: ConversionLife['conversion'] }) {
  const { t } = useTranslation('conversion')
  const zone = useZone()
  const { actionsFor, dialog } = useDecisions()
  return (
    <>
      <PageHeader
        title={[conversion.goal?.title, conversion.offer.name].filter(Boolean).join(' · ')}
        id={conversion.id}
        status={<ConversionStatusBadge status={conversion.status} />}
        facts={[
          // staff of one side does not see the other
          ...(conversion.affiliate ? [nameOf(conversion.affiliate)] : []),
          <span key="payout">
            {t('payout')} <Money amount={conversion.payout} currency={conversion.currency} />
          </span>,
          ...(conversion.reason === '' ? [] : [<span key="reason">{reasonOf(t, conversion.reason)}</span>]),
          ...(conversion.hold_until === null
            ? []
            : [
                <span key="hold">
                  {t('holdUntil')} {date(conversion.hold_until, zone)}
                </span>,
              ]),
        ]}
        actions={<PageActions primary={nextStep(conversion)} actions={actionsFor(conversion)} />}
      />
      {dialog}
    </>
  )
}
