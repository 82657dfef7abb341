import { Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useConstants } from '#web/api/constants.ts'
import { macroAbout, macrosFor } from '#web/kit/fields/macro/macros.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { useViewport } from '#web/viewport.ts'
import classes from '#web/features/traffic/postback/postback.module.css'

/** The macros a postback may carry; a click copies one. Where there is no room they are folded, as on a phone: there are more of them than a screen has lines to spare. */
export function MacroHelp({ folded = false }: { folded?: boolean }) {
  const { t } = useTranslation('postback')
  const { macros } = useConstants()
  const mobile = useViewport() === 'mobile'
  const { t: kit } = useTranslation('kit')
  const { usual, ofAdNetworks } = macrosFor(macros, 'postback')
  const copied = (list: typeof usual) => (
    <div className={classes.macros}>
      {list.map(({ value, ad_network }) => (
        <span key={value} title={(ad_network ?? macroAbout(value)) || undefined}>
          <CopyText text={`{${value}}`} />
        </span>
      ))}
    </div>
  )
  const chips = (
    <>
      {copied(usual)}
      <details>
        <summary className={classes.folded}>{kit('macro.adNetworks')}</summary>
        {kit('macro.adNetworksText')}
        {copied(ofAdNetworks)}
      </details>
    </>
  )
  return (
    <Text size="xs" c="dimmed" component="div">
      {mobile || folded ? (
        <details>
          <summary className={classes.folded}>{t('macroCount', { number: usual.length + ofAdNetworks.length })}</summary>
          {chips}
        </details>
      ) : (
        <>
          {t('macros')} {chips}
        </>
      )}
    </Text>
  )
}
