import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconMail } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { personApi, type RecipientNotice } from '#contract/leads/person.ts'
import { useSave } from '#web/api/query.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'

/** Whom the network gave somebody who was erased: told or not, with a letter to send. */
export function Notices({ of, onOpen }: { of: readonly RecipientNotice[]; onOpen?: (at: number) => void }) {
  const { t } = useTranslation('person')
  const tell = useSave(personApi.told, { invalidate: [personApi.get, personApi.toTell] })
  return (
    <Stack gap="sm">
      {of.map(({ uuid, advertiser, leads, last_at, told_at, told_by }, at) => {
        const ids = leads.join(', ')
        const letter = `mailto:${encodeURIComponent(advertiser.email)}?subject=${encodeURIComponent(t('letter.subject'))}&body=${encodeURIComponent(t('letter.body', { ids }))}`
        return (
          <Group key={uuid} justify="space-between" align="start" gap="xs">
            <Stack gap={2} style={{ flex: '1 1 260px', minWidth: 0 }}>
              <Group gap="xs">
                <strong>{advertiser.name}</strong>
                <StatusBadge
                  tone={told_at === null ? 'waiting' : 'good'}
                  label={told_at === null ? t('notTold') : t('told', { by: told_by ?? '' })}
                />
              </Group>
              <Text fz={13} c="dimmed">
                {t('lastSent')} <Moment at={last_at} />
              </Text>
              <CopyText text={ids} />
            </Stack>
            <Group gap="xs">
              {onOpen !== undefined && (
                <Button size="compact-sm" variant="subtle" onClick={() => onOpen(at)}>
                  {t('open')}
                </Button>
              )}
              {told_at === null && (
                <>
                  <Button component="a" href={letter} size="compact-sm" variant="default" leftSection={<IconMail size={15} aria-hidden />}>
                    {t('write')}
                  </Button>
                  <Button
                    size="compact-sm"
                    leftSection={<IconCheck size={15} aria-hidden />}
                    loading={tell.isPending}
                    onClick={() => tell.mutate({ body: { uuids: [uuid] } })}
                  >
                    {t('markTold')}
                  </Button>
                </>
              )}
            </Group>
          </Group>
        )
      })}
    </Stack>
  )
}
