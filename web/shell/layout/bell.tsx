import { ActionIcon, Box, Button, Divider, Flex, Group, Indicator, Popover, ScrollArea, Text } from '@mantine/core'
import { IconAlertCircle, IconBell, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Moment } from '#web/kit/show/moment.tsx'
import { clearHistory, markSeen, useNotificationHistory, useUnseen } from '#web/shell/layout/notification-history.ts'

/** What the toasts said, to read again. */
export function Bell() {
  const { t } = useTranslation('layout')
  const [opened, setOpened] = useState(false)
  const history = useNotificationHistory()
  const unseen = useUnseen()

  return (
    <Popover
      opened={opened}
      onChange={(open) => {
        setOpened(open)
        markSeen()
      }}
      position="bottom-end"
      width={360}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={unseen > 0 ? t('bell.unseen', { count: unseen }) : t('bell.title')}
          onClick={() => {
            setOpened(!opened)
            markSeen()
          }}
        >
          <Indicator disabled={unseen === 0} size={9} offset={3} withBorder>
            <IconBell size={18} stroke={1.7} aria-hidden />
          </Indicator>
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('bell.title')}>
        <Group justify="space-between" mih={44} pl="md" pr="xs">
          <Text fw={600}>{t('bell.title')}</Text>
          {history.length > 0 && (
            <Button variant="subtle" size="compact-xs" onClick={clearHistory}>
              {t('bell.clear')}
            </Button>
          )}
        </Group>
        <Divider />
        {history.length === 0 && (
          <Text c="dimmed" ta="center" px="md" py={28}>
            {t('bell.none')}
          </Text>
        )}
        <ScrollArea.Autosize mah={380}>
          <ul>
            {history.map((past, index) => (
              <li key={past.id}>
                {index > 0 && <Divider />}
                <Flex gap={10} px="md" py={11} fz={13.5} style={{ overflowWrap: 'anywhere' }}>
                  <Box flex="none" c={past.type === 'error' ? 'var(--ohma-bad)' : 'var(--ohma-good)'}>
                    {past.type === 'error' ? (
                      <IconAlertCircle size={17} aria-label={t('bell.error')} />
                    ) : (
                      <IconCircleCheck size={17} aria-label={t('bell.success')} />
                    )}
                  </Box>
                  <Box flex={1}>{past.text}</Box>
                  <Text fz="xs" c="dimmed">
                    <Moment at={past.at} />
                  </Text>
                </Flex>
              </li>
            ))}
          </ul>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
