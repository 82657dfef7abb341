import { useTranslation } from '#web/i18n/use-translation.ts'
import { integer } from '#web/format.ts'
import { ShapeList } from '#web/features/traffic/dialect/shape-list.tsx'
import { PostbackLog } from '#web/features/traffic/postback-log/postback-log.tsx'
import { useInboxCounts } from '#web/shell/inbox-counts.ts'

/**
 * Postbacks of both directions, and those that wait for a mapping, which is another feature's: that is why it stands outside of them. What
 * waits at each adds up to the number in the sidebar.
 */
export function PostbacksScreen() {
  const { t } = useTranslation('dialect')
  const waits = useInboxCounts()
  const badge = (count = 0) => (count > 0 ? { badge: integer(count) } : {})
  return (
    <PostbackLog
      out={badge(waits?.deliveries)}
      more={[{ id: 'mapping', label: t('shapes'), content: <ShapeList />, ...badge(waits?.postbacks) }]}
    />
  )
}
