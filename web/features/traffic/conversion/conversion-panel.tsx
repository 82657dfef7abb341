import { Anchor, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { query } from '#web/api/query.ts'
import { LIFE, reasonOf } from '#web/conversion-words.ts'
import { ConversionFacts } from '#web/features/traffic/conversion/conversion-facts.tsx'
import type { Conversion } from '#web/features/traffic/conversion/conversion-life.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import { ConversionTimeline } from '#web/features/traffic/conversion/conversion-timeline.tsx'
import { ConversionVerdicts } from '#web/features/traffic/conversion/conversion-verdicts.tsx'
import { date } from '#web/format.ts'
import { nextStep, useDecisions } from '#web/features/traffic/conversion/use-decisions.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Money } from '#web/kit/show/money.tsx'
import { PageActions } from '#web/kit/table/page-actions.tsx'
import { partOf } from '#web/statistic-part.ts'
import { useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

/** The life of a conversion as a panel over the list: `panelOf` draws it, given the rows it is stepped through. */
export function useConversionPanel(): { hrefOf: (row: Conversion) => string; panelOf: (rows: readonly Conversion[]) => ReactNode } {
  const { open, hrefOf, show, close } = usePanelAddress(LIFE)
  return {
    hrefOf: ({ uuid }) => hrefOf(uuid),
    panelOf: (rows) => open !== null && <ConversionPanel uuid={open} among={rows.map(({ uuid }) => uuid)} onShow={show} onClose={close} />,
  }
}

type ConversionPanelProps = { uuid: string; among: readonly string[]; onShow: (uuid: string) => void; onClose: () => void }

function ConversionPanel({ uuid, among, onShow, onClose }: ConversionPanelProps) {
  const { t } = useTranslation('conversion')
  const zone = useZone()
  const hasPage = useCan()('conversion.detail')
  const { actionsFor, dialog } = useDecisions()
  const found = useQuery(query(conversionApi.get, { params: { uuid } }, { quiet: true }))
  const one = found.data?.conversion
  return (
    <SidePanel
      size={760}
      open={uuid}
      among={among}
      onShow={onShow}
      onClose={onClose}
      title={one === undefined ? t('title') : [one.goal?.title, one.offer.name, one.id].filter(Boolean).join(' · ')}
    >
      <QueryPage query={found} failed={t('failed')}>
        {(life) => (
          <Stack miw={0}>
            <Group gap="4px 14px">
              <ConversionStatusBadge status={life.conversion.status} />
              <span>
                {t('payout')} <Money amount={life.conversion.payout} currency={life.conversion.currency} />
              </span>
              {life.conversion.hold_until !== null && (
                <span>
                  {t('holdUntil')} {date(life.conversion.hold_until, zone)}
                </span>
              )}
              {life.conversion.reason !== '' && <span>{reasonOf(t, life.conversion.reason)}</span>}
              {hasPage && (
                <Anchor
                  component={ScreenLink}
                  to={partOf(life.conversion.offer_type).conversion}
                  params={{ uuid: life.conversion.uuid }}
                  ml="auto"
                >
                  {t('openPage')}
                </Anchor>
              )}
            </Group>
            <Group gap={8}>
              <PageActions primary={nextStep(life.conversion)} actions={actionsFor(life.conversion)} />
            </Group>
            <ConversionTimeline life={life} />
            <ConversionFacts life={life} />
            <ConversionVerdicts verdicts={life.verdicts} />
          </Stack>
        )}
      </QueryPage>
      {dialog}
    </SidePanel>
  )
}
