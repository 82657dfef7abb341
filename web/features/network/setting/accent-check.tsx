import { useTranslation } from '#web/i18n/use-translation.ts'
import { contrast, textOn } from '#contract/network/contrast.ts'
import { readableOn, shadesOf, visibleShade } from '#web/theme/colour.ts'
import { SURFACE } from '#web/theme/theme.ts'
import classes from './setting.module.css'

/** What the accent becomes in each scheme, and how well it reads there, in words. */
export function AccentCheck({ colour }: { colour: string }) {
  const { t } = useTranslation('setting')
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return null
  return (
    <div className={classes.accents} data-wide role="group" aria-label={t('accent.title')}>
      {(['light', 'dark'] as const).map((scheme) => {
        const surface = SURFACE[scheme]
        const filled = shadesOf(colour)[visibleShade(colour, surface)]
        const on = textOn(filled)
        const link = readableOn(colour, surface)
        const ratio = told(on, filled)
        return (
          <div key={scheme} className={classes.accent}>
            <span className={classes.sample} style={{ background: surface }} aria-hidden>
              <span className={classes.sampleButton} style={{ background: filled, color: on }}>
                {t('accent.button')}
              </span>
              <span style={{ color: link }}>{t('accent.link')}</span>
            </span>
            <p>
              <strong>{t(`accent.${scheme}`)}</strong> {t(on === '#ffffff' ? 'accent.white' : 'accent.black', { ratio })}{' '}
              {link === colour.toLowerCase()
                ? t('accent.asIs', { ratio: told(link, surface) })
                : t(scheme === 'light' ? 'accent.darker' : 'accent.lighter', {
                    own: told(colour, surface),
                    ratio: told(link, surface),
                  })}
            </p>
          </div>
        )
      })}
    </div>
  )
}

/** A contrast as people read it, never more than it is. */
function told(one: string, other: string): string {
  return (Math.floor(contrast(one, other) * 10) / 10).toFixed(1)
}
