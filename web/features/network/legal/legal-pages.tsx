import type { ComponentType } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LEGAL_KINDS, type LegalKind } from '#contract/network/legal.ts'
import '#web/guest/panel-texts.ts'
import { GuestFrame } from '#web/guest/guest-frame.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { LegalReading } from '#web/legal-reading.tsx'
import { LEGAL_SCREENS } from '#web/legal-screens.ts'
import style from './legal.module.css'

/** The public page of each text. */
export const LEGAL_PAGES: Readonly<Record<LegalKind, ComponentType>> = {
  terms: () => <LegalPage kind="terms" />,
  agreement: () => <LegalPage kind="agreement" />,
  privacy: () => <LegalPage kind="privacy" />,
}

function LegalPage({ kind }: { kind: LegalKind }) {
  const { t } = useTranslation('legal')
  return (
    <GuestFrame title={t(`kind.${kind}`)}>
      <div className={style.paper}>
        <LegalReading kind={kind} />
        <nav className={style.ways} aria-label={t('others')}>
          {LEGAL_KINDS.filter((other) => other !== kind).map((other) => (
            <ScreenLink key={other} to={LEGAL_SCREENS[other]}>
              {t(`kind.${other}`)}
            </ScreenLink>
          ))}
          <ScreenLink to="signup">{t('toSignup')}</ScreenLink>
          <ScreenLink to="login">{t('toLogin')}</ScreenLink>
        </nav>
      </div>
    </GuestFrame>
  )
}
