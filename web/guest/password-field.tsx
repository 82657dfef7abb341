import { useState, type ComponentProps } from 'react'
import { PasswordInput } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'

/** A password with a switch to see it, and a word when Caps Lock is on. */
export function PasswordField({ description, ...props }: ComponentProps<typeof PasswordInput>) {
  const { t } = useTranslation('auth')
  const [capsLock, setCapsLock] = useState(false)
  const [visible, setVisible] = useState(false)
  return (
    <PasswordInput
      {...props}
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{ 'aria-label': visible ? t('login.hidePassword') : t('login.showPassword'), tabIndex: 0 }}
      onKeyDown={(event) => setCapsLock(event.getModifierState('CapsLock'))}
      onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
      description={capsLock ? <span role="status">{t('login.capsLock')}</span> : description}
    />
  )
}
