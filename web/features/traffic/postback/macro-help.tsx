import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useConstants } from '#web/api/constants.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { useViewport } from '#web/viewport.ts'
import classes from '#web/features/traffic/postback/postback.module.css'

/** The macros a postback may carry; a click copies one. On a phone they are folded: there are more of them than a screen has lines to spare. */
export function MacroHelp() {
  const { t } = useTranslation('postback')
  const { macros } = useConstants()
  const mobile = useViewport() === 'mobile'
  const usable = macros.filter(({ where }) => where.includes('postback'))
  const chips = (
    <div className={classes.macros}>
      {usable.map(({ value }) => (
        <CopyText key={value} text={`{${value}}`} />
      ))}
    </div>
  )
  return (
    <Text size="xs" c="dimmed" component="div">
      {mobile ? (
        <details>
          <summary className={classes.folded}>{t('macroCount', { number: usable.length })}</summary>
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
