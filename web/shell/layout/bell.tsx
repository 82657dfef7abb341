import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { call } from '#web/api/call.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { integer } from '#web/format.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import classes from '#web/shell/layout/layout.module.css'

const NotificationList = lazy(async () => {
  const load = () => Promise.all([import('#web/shell/layout/notification-list.tsx'), loadLateTexts('notification')])
  return { default: (await withinChunkTimeout(load))[0].NotificationList }
})

/** How many notifications are unread, and behind it what happened: kept for each person on the server, asked again every minute. */
export function Bell() {
  const { t } = useTranslation('layout')
  const [opened, setOpened] = useState(false)
  const { data } = useQuery({
    queryKey: ['/api/notification/v1/unread'],
    queryFn: async ({ signal }) => {
      const { notificationApi } = await withinChunkTimeout(() => import('#contract/network/notification.ts'))
      return call(notificationApi.unread, {}, { signal, quiet: true })
    },
    refetchInterval: 60_000,
  })
  const unread = data?.rows ?? 0
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={400} shadow="md" trapFocus returnFocus>
      <Indicator
        disabled={unread === 0}
        size={16}
        offset={6}
        label={unread > 99 ? '99+' : integer(unread)}
        styles={{ indicator: { pointerEvents: 'none', fontSize: 10, paddingInline: 4 } }}
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            className={classes.touched}
            aria-label={unread > 0 ? t('bell.unseen', { count: unread }) : t('bell.title')}
            onClick={() => setOpened(!opened)}
          >
            <IconBell size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} maw="calc(100vw - 16px)" aria-label={t('bell.title')}>
        <Suspense>{opened && <NotificationList onLeave={() => setOpened(false)} />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
