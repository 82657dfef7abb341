import { Drawer, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { query } from '#web/api/query.ts'
import { LIFE, reasonOf } from '#web/conversion-words.ts'
import { ConversionFacts } from '#web/features/traffic/conversion/conversion-facts.tsx'
import type { Conversion } from '#web/features/traffic/conversion/conversion-life.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import { ConversionTimeline } from '#web/features/traffic/conversion/conversion-timeline.tsx'
import { ConversionVerdicts } from '#web/features/traffic/conversion/conversion-verdicts.tsx'
import { date } from '#web/format.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Money } from '#web/kit/show/money.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

/** The life of a conversion as a panel over the list, for roles that have no page of it: `panel` has to be drawn. */
export function useConversionPanel(): { hrefOf: (row: Conversion) => string; panel: ReactNode } {
  const { open, hrefOf, close } = usePanelAddress(LIFE)
  return {
    hrefOf: ({ uuid }) => hrefOf(uuid),
    panel: open !== null && <ConversionPanel uuid={open} onClose={close} />,
  }
}

function ConversionPanel({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation('conversion')
  const zone = useZone()
  const found = useQuery(query(conversionApi.get, { params: { uuid } }, { quiet: true }))
  const one = found.data?.conversion
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={760}
      title={one === undefined ? t('title') : [one.goal?.title, one.offer.name, one.id].filter(Boolean).join(' · ')}
    >
      <QueryPage query={found} failed={t('failed')}>
        {(life) => (
          <Stack miw={0}>
            <Group gap="4px 14px">
              <ConversionStatusBadge status={life.conversion.status} />
              <span>
                {t('payout')} <Money amount={life.conversion.payout} currency={life.conversion.currency} exact />
              </span>
              {life.conversion.hold_until !== null && (
                <span>
                  {t('holdUntil')} {date(life.conversion.hold_until, zone)}
                </span>
              )}
              {life.conversion.reason !== '' && <span>{reasonOf(t, life.conversion.reason)}</span>}
            </Group>
            <ConversionTimeline life={life} />
            <ConversionFacts life={life} />
            <ConversionVerdicts verdicts={life.verdicts} />
          </Stack>
        )}
      </QueryPage>
    </Drawer>
  )
}
