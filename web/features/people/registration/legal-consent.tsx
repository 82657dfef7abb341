import { Checkbox } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { RegistrationForm } from '#contract/people/registration.ts'
import { LEGAL_SCREENS } from '#web/legal-screens.ts'
import { changeAt, fieldProps } from '#web/kit/fields/field.ts'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import type { SignupValues } from './signup-values.ts'
import style from './signup.module.css'

/** One box for all texts there are, each to be read in a tab of its own: what was typed stays. */
export function LegalConsent({ of, legal }: { of: SaveForm<SignupValues>; legal: RegistrationForm['legal'] }) {
  const { t } = useTranslation('registration')
  const { error, id } = fieldProps({ of, name: 'accepted', label: t('accepted') })
  return (
    <Checkbox
      id={id}
      wrapperProps={{ 'data-wide': true }}
      className={style.consent}
      error={error}
      checked={of.values.accepted}
      onChange={(event) => changeAt(of, 'accepted', event.currentTarget.checked)}
      label={
        <>
          {t('accept')}{' '}
          {legal.map(({ uuid, kind }, place) => (
            <Fragment key={uuid}>
              {place > 0 && (place === legal.length - 1 ? ` ${t('and')} ` : ', ')}
              <ScreenLink to={LEGAL_SCREENS[kind]} target="_blank" rel="noopener">
                {t(`legal.${kind}`)}
              </ScreenLink>
            </Fragment>
          ))}
        </>
      }
    />
  )
}
