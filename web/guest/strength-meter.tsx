import { useTranslation } from '#web/i18n/use-translation.ts'
import { passwordStrength } from './password-strength.ts'
import style from './strength-meter.module.css'

/** How strong a new password looks, as three bars and a word. */
export function StrengthMeter({ password }: { password: string }) {
  const { t } = useTranslation('auth')
  const strength = passwordStrength(password)
  return (
    <div className={`${style.meter} ${password === '' ? '' : style[strength]}`}>
      <span className={style.bar} />
      <span className={style.bar} />
      <span className={style.bar} />
      <span className={style.word} role="status">
        {password !== '' && t('setPassword.strength', { level: t(`setPassword.level.${strength}`) })}
      </span>
    </div>
  )
}
