import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { registrationApi } from '#contract/people/registration.ts'
import { query } from '#web/api/query.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SignupForm } from '../signup-form.tsx'
import style from './settings.module.css'

/** The form as guests see it now, in the language on the screen; nothing is sent. */
export function RegistrationPreview() {
  const { t } = useTranslation('registration')
  const found = useQuery({ ...query(registrationApi.open, { body: { language: currentLanguage() } }), staleTime: 0, gcTime: 0 })
  return (
    <QueryPage query={found} failed={t('settings.failed')}>
      {(asked) => (
        <>
          <Text c="dimmed">{t('settings.previewText')}</Text>
          <div className={style.stage}>
            <SignupForm asked={asked} invitation="" onOutdated={nothing} onDone={nothing} preview />
          </div>
        </>
      )}
    </QueryPage>
  )
}

function nothing(): void {}
