import { Button, Flex, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { staffDashboard } from '#contract/network/dashboard.ts'
import type { ScreenId } from '#contract/screens.ts'
import { integer } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type Waiting = z.output<typeof staffDashboard>['waiting']

/** Where each kind of decision is made. */
const PLACES: readonly { what: keyof Waiting; screen: ScreenId; search: string }[] = [
  { what: 'pending_conversions', screen: 'statisticDirectConversion', search: '?status=pending' },
  { what: 'access_requests', screen: 'offers', search: '' },
  { what: 'landings_in_moderation', screen: 'landings', search: '?status=moderation' },
  { what: 'affiliates_in_moderation', screen: 'affiliates', search: '?status=moderation' },
]

/** What waits for a decision, each a step away from where it is made. */
export function WaitingCard({ waiting }: { waiting: Waiting }) {
  const { t } = useTranslation('dashboard')
  const open = useScreens()
  const tasks = PLACES.filter(({ what, screen }) => waiting[what] > 0 && open.has(screen))
  return (
    <Panel title={t('waiting')}>
      {tasks.length === 0 ? (
        <p className="ohma-soft">{t('waiting.none')}</p>
      ) : (
        <Flex component="ul" wrap="wrap" gap={10}>
          {tasks.map(({ what, screen, search }) => (
            <li key={what}>
              <Button component={ScreenLink} to={screen} search={search} variant="default" size="md" fw={400} px={14}>
                <Text span fw={700} mr="xs" className="ohma-number">
                  {integer(waiting[what])}
                </Text>
                {t(`waiting.${what}`, { count: waiting[what] })}
              </Button>
            </li>
          ))}
        </Flex>
      )}
    </Panel>
  )
}
