import { useTranslation } from 'react-i18next'
import type { ConversionLife } from '#web/features/traffic/conversion/conversion-detail.tsx'
import { Country } from '#web/kit/show/country.tsx'
import classes from '#web/features/traffic/conversion/conversion.module.css'

/** The click: who came, and how it was judged. */
export function ClickEvent({ click }: { click: NonNullable<ConversionLife['click']> }) {
  const { t } = useTranslation('conversion')
  const { t: report } = useTranslation('report')
  const { t: words } = useTranslation('click')
  const flags = click.flags.map((flag) => words(`flag.${flag}` as 'flag.bot', { defaultValue: flag })) // flags the file does not know stay as they are
  const device = click.device && report(`code.${click.device}` as 'code.desktop', { defaultValue: click.device })
  return (
    <p className={classes.line}>
      <Country code={click.geo} />
      <span>{[device, click.os, click.browser].filter(Boolean).join(' · ')}</span>
      <span>{click.ip}</span>
      {click.reason !== '' && <strong>{report(`code.${click.reason}` as 'code.no_access', { defaultValue: click.reason })}</strong>}
      {flags.length > 0 && <span>{t('marked', { flags: flags.join(', ') })}</span>}
    </p>
  )
}
