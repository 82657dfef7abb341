import { useTranslation } from 'react-i18next'
import { ShapeList } from '#web/features/traffic/dialect/shape-list.tsx'
import { PostbackLog } from '#web/features/traffic/postback-log/postback-log.tsx'

/** Postbacks of both directions, and those that wait for a mapping, which is another feature's: that is why it stands outside of them. */
export function PostbacksScreen() {
  const { t } = useTranslation('dialect')
  return <PostbackLog more={[{ id: 'mapping', label: t('shapes'), content: <ShapeList /> }]} />
}
