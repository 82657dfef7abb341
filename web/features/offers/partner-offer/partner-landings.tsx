import { Anchor, Group, SimpleGrid, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { partnerLanding } from '#contract/offers/offer-landing.ts'
import { useConstants } from '#web/api/constants.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Picture } from '#web/kit/show/picture.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'

/** The pages an affiliate may choose for its links, as visitors would see them. */
export function PartnerLandings({ landings }: { landings: readonly z.output<typeof partnerLanding>[] }) {
  const { t } = useTranslation('partnerPage')
  const { languages } = useConstants()
  if (landings.length === 0) return null
  return (
    <Panel title={t('landings')}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        {landings.map((landing) => (
          <Group key={landing.id} gap="sm" wrap="nowrap" align="flex-start">
            {landing.preview !== null && <Picture uuid={landing.preview} alt="" />}
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {landing.name}
              </Text>
              {landing.broken && <StatusBadge tone="bad" label={t('landing.broken')} />}
              <Text size="xs" c="dimmed">
                {[
                  `#${landing.id}`,
                  t(`landing.${landing.type}`),
                  ...languages.filter(({ value }) => value === landing.language).map(({ label }) => label),
                ].join(' · ')}
              </Text>
              <Anchor href={landing.preview_url} target="_blank" rel="noreferrer" size="xs" underline="always">
                {t('landing.open')} <IconExternalLink size={12} aria-hidden />
              </Anchor>
            </div>
          </Group>
        ))}
      </SimpleGrid>
    </Panel>
  )
}
