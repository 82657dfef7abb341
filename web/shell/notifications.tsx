import { useEffect, useState } from 'react'
import { CloseButton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import style from './notifications.module.css'
import { dismiss, useNotifications, type Notification } from '#web/notify.ts'

/** How long a message stays; errors longer, because somebody has to read them to the end. The pointer or the focus on it holds it. */
const STAY = { success: 5_000, error: 10_000 }

/** The messages on the screen, at most three, read out as they come. */
export function Notifications() {
  const { t } = useTranslation('shell')
  const list = useNotifications((state) => state.list)
  return (
    <section className={style.stack} aria-label={t('notifications')} aria-live="polite" aria-relevant="additions">
      {list.map((one) => (
        <Message key={one.id} notification={one} />
      ))}
    </section>
  )
}

function Message({ notification: { id, type, text } }: { notification: Notification }) {
  const { t } = useTranslation('shell')
  const [held, setHeld] = useState(false)

  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismiss(id), STAY[type])
    return () => clearTimeout(timer)
  }, [id, type, held])

  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  const Icon = type === 'error' ? IconAlertCircle : IconCircleCheck
  return (
    <div
      className={`${style.notification} ${style[type]}`}
      data-notification={type}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Icon className={style.icon} size={20} stroke={1.75} aria-hidden />
      <div className={style.text}>{text}</div>
      <CloseButton size="sm" aria-label={t('dismiss')} onClick={() => dismiss(id)} />
    </div>
  )
}
