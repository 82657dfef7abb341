import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { AuditEntry } from '#contract/people/audit.ts'
import { actionName } from '#web/features/people/audit/change-words.ts'
import { Differences } from '#web/features/people/audit/differences.tsx'
import { pageOf, thingOf, whoOf } from '#web/features/people/audit/entry-words.ts'
import { dateTime, UNKNOWN } from '#web/format.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { screenHref, useScreens } from '#web/shell/access.ts'

type AuditPanelProps = {
  /** undefined while it loads, and where the list on the page does not hold it. */
  entry: AuditEntry | undefined
  loading: boolean
  open: string
  among: readonly string[]
  onShow: (id: string) => void
  onClose: () => void
  onAll: (entry: AuditEntry) => void
}

/** One entry over the log: who, when, from where, and what was before and after. */
export function AuditPanel({ entry, loading, open, among, onShow, onClose, onAll }: AuditPanelProps) {
  const { t } = useTranslation('audit')
  return (
    <SidePanel
      size={640}
      open={open}
      among={among}
      onShow={onShow}
      onClose={onClose}
      title={entry ? `${actionName(t, entry.action)} · ${thingOf(t, entry)}` : t('entry', { id: open })}
    >
      {entry ? (
        <Entry entry={entry} onAll={() => onAll(entry)} />
      ) : loading ? (
        <Skeleton height={180} />
      ) : (
        <Text c="dimmed">{t('elsewhere')}</Text>
      )}
    </SidePanel>
  )
}

function Entry({ entry, onAll }: { entry: AuditEntry; onAll: () => void }) {
  const { t } = useTranslation('audit')
  const screens = useScreens()
  const page = pageOf(entry.entity)
  return (
    <Stack miw={0}>
      <Facts
        of={[
          [t('at'), dateTime(entry.at, useZone())],
          [t('actor'), whoOf(t, entry)],
          ...(entry.key === null ? [] : [[t('key'), entry.key] as const]),
          [t('address'), entry.address || UNKNOWN],
          [t('action'), actionName(t, entry.action)],
          [
            t('thing'),
            entry.thing && page !== undefined && screens.has(page) ? (
              <Anchor key="thing" component={Link} to={screenHref(page, { uuid: entry.thing.uuid })}>
                {thingOf(t, entry)}
              </Anchor>
            ) : (
              thingOf(t, entry)
            ),
          ],
        ]}
      />
      <Differences of={entry} empty />
      <Group>
        <Button variant="default" onClick={onAll}>
          {t('all')}
        </Button>
      </Group>
    </Stack>
  )
}
