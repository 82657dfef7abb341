import { Group } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { UserSession } from '#contract/leads/user-session.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** The number of a lead; one of a second sale says so, and leads to its distribution whoever may see it. */
export function SessionNumber({ of: { id, traffic_type, recold } }: { of: UserSession }) {
  const { t } = useTranslation('userSession')
  const mayOpen = useScreens().has('recold')
  if (traffic_type === 'warm') return id
  const badge = <StatusBadge tone="info" label={t('traffic.cold')} />
  return (
    <Group gap={6} wrap="nowrap" component="span">
      {id}
      {recold && mayOpen ? (
        <ScreenLink to="recold" params={{ uuid: recold.uuid }} title={recold.name}>
          {badge}
        </ScreenLink>
      ) : (
        badge
      )}
    </Group>
  )
}
