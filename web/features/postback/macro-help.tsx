import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useConstants } from '#web/api/constants.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'

/** The macros a postback may carry; a click copies one. */
export function MacroHelp() {
  const { t } = useTranslation('postback')
  const { macros } = useConstants()
  return (
    <Text size="xs" c="dimmed" component="div" style={{ display: 'flex', flexWrap: 'wrap', gap: '2px 8px' }}>
      {t('macros')}
      {macros
        .filter(({ where }) => where.includes('postback'))
        .map(({ value }) => (
          <CopyText key={value} text={`{${value}}`} />
        ))}
    </Text>
  )
}
