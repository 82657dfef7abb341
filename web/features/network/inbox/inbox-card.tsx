import { Kbd, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { INBOX_KIND_IDS } from '#contract/network/inbox.ts'
import { InboxList, type Walk } from '#web/features/network/inbox/inbox-list.tsx'
import { integer } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { useInboxCounts } from '#web/shell/inbox-counts.ts'

/** What waits for the decision of who looks, by kinds, each decided in its row. */
export function InboxCard() {
  const { t } = useTranslation('inbox')
  const counts = useInboxCounts()
  const walkRef = useRef<Walk | null>(null)
  const kinds = counts === undefined ? [] : INBOX_KIND_IDS.filter((kind) => counts[kind] > 0)
  const hint = (
    <Text component="span" visibleFrom="md" fz={12.5} c="dimmed">
      <Kbd size="xs">
        <IconArrowUp size={10} aria-label="↑" />
      </Kbd>{' '}
      <Kbd size="xs">
        <IconArrowDown size={10} aria-label="↓" />
      </Kbd>{' '}
      {t('hint.walk')} · <Kbd size="xs">A</Kbd> {t('approve')} · <Kbd size="xs">R</Kbd> {t('reject')} · <Kbd size="xs">Enter</Kbd>{' '}
      {t('hint.open')}
    </Text>
  )
  return (
    <Panel title={t('title')} actions={kinds.length > 0 && hint}>
      {counts !== undefined && kinds.length === 0 && (
        // who has just decided the last one is told by the focus that there is no more
        <div
          tabIndex={-1}
          ref={(empty) => {
            if (walkRef.current !== null) empty?.focus()
            walkRef.current = null
          }}
        >
          <Text fw={600}>{t('none.title')}</Text>
          <Text c="dimmed">{t('none.text')}</Text>
        </div>
      )}
      {counts !== undefined && kinds.length > 0 && (
        <UrlTabs
          label={t('title')}
          tabs={kinds.map((kind) => ({
            id: kind,
            label: t(`kind.${kind}`),
            badge: integer(counts[kind]),
            content: <InboxList key={kind} kind={kind} walkRef={walkRef} />,
          }))}
        />
      )}
    </Panel>
  )
}
