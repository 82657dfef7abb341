import { ActionIcon, Button, Popover } from '@mantine/core'
import { IconAlertCircle, IconBell, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Moment } from '#web/kit/show/moment.tsx'
import { clearHistory, markSeen, useNotificationHistory, useUnseen } from '#web/shell/layout/notification-history.ts'
import classes from '#web/shell/layout/bell.module.css'

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
          <IconBell size={18} stroke={1.7} aria-hidden />
          {unseen > 0 && <span className={classes.unseen} aria-hidden />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('bell.title')}>
        <div className={classes.head}>
          <strong>{t('bell.title')}</strong>
          {history.length > 0 && (
            <Button variant="subtle" size="compact-xs" onClick={clearHistory}>
              {t('bell.clear')}
            </Button>
          )}
        </div>
        {history.length === 0 ? (
          <p className={classes.none}>{t('bell.none')}</p>
        ) : (
          <ul className={classes.list}>
            {history.map((past) => (
              <li key={past.id} data-type={past.type}>
                {past.type === 'error' ? (
                  <IconAlertCircle size={17} aria-label={t('bell.error')} />
                ) : (
                  <IconCircleCheck size={17} aria-label={t('bell.success')} />
                )}
                <span>{past.text}</span>
                <small>
                  <Moment at={past.at} />
                </small>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
