import { Button, type ButtonProps } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LANGUAGES } from '#web/i18n/language.ts'

/** The button that names the language on the screen and opens the choice of others. */
export function LanguageTarget(props: ButtonProps & ComponentProps<'button'>) {
  const { t, i18n } = useTranslation('auth')
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconLanguage size={18} stroke={1.6} />}
      aria-label={t('frame.language')}
      aria-haspopup="menu"
      {...props}
    >
      {LANGUAGES.find(({ value }) => value === i18n.language)?.label}
    </Button>
  )
}
