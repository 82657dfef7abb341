import { Stack, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useConstants } from '#web/api/constants.ts'
import type { Detail } from '#web/features/offers/partner-offer/partner-offer-page.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { RichText } from '#web/kit/show/rich-text.tsx'
import { TARGETS, targetWords } from '#web/targeting-words.ts'

/** From where visitors and leads may come, and what the network writes of the offer. */
export function Conditions({ offer }: { offer: Detail }) {
  const { t } = useTranslation('partnerOffer')
  const { t: word } = useTranslation('dimension')
  const { traffic } = useConstants()
  const texts = [
    { title: t('description'), html: offer.description },
    { title: t('kpi'), html: offer.kpi },
  ].filter(({ html }) => html !== '')
  return (
    <>
      <Panel title={t('traffic')}>
        <Stack gap={8}>
          <Text size="sm">
            {offer.traffic_sources.length === 0
              ? t('anySource')
              : offer.traffic_sources.map((source) => traffic.find(({ value }) => value === source)?.label ?? source).join(', ')}
          </Text>
          <Facts
            of={TARGETS.filter((dimension) => dimension === 'geo' || offer.targeting[dimension] !== null).map((dimension) => [
              word(dimension),
              targetWords(dimension, offer.targeting[dimension], offer.network_names),
            ])}
          />
        </Stack>
      </Panel>
      {texts.map(({ title, html }) => (
        <Panel key={title} title={title}>
          <RichText html={html} />
        </Panel>
      ))}
    </>
  )
}
