import { Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Detail } from '#web/features/offers/partner-offer/partner-offer-page.tsx'
import { capAmount, capTitle } from '#web/cap-words.ts'
import { integer } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'

/** How far the caps are filled: its own in figures, those of the whole offer as a share. */
export function Caps({ offer }: { offer: Detail }) {
  const { t } = useTranslation('partnerOffer')
  if (offer.caps.length === 0) return null
  return (
    <Panel title={t('caps')}>
      <Stack gap="sm">
        {offer.caps.map((cap) => (
          <div key={capTitle(cap)}>
            <Group justify="space-between" gap="0 12px">
              <span>{capTitle(cap)}</span>
              <strong className="ohma-number">
                {cap.used === null
                  ? t('capShare', { limit: capAmount(cap, cap.limit, offer.currency), share: integer(cap.percent) })
                  : `${capAmount(cap, cap.used, offer.currency)} / ${capAmount(cap, cap.limit, offer.currency)}`}
              </strong>
            </Group>
            <Progress value={cap.percent} aria-label={capTitle(cap)} color={cap.percent >= 100 ? 'red' : undefined} mt={4} />
          </div>
        ))}
        <Text size="sm" c="dimmed">
          {t('capsText', { zone: offer.time_zone.replaceAll('_', ' ') })}
        </Text>
      </Stack>
    </Panel>
  )
}
