import { Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { INBOX_KIND_IDS, type InboxKind } from '#contract/network/inbox.ts'
import { InboxList, type Decided } from '#web/features/network/inbox/inbox-list.tsx'
import { integer } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { useInboxCounts } from '#web/shell/inbox-counts.ts'
import type english from './inbox.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    inbox: typeof english
  }
}

/** How long a decided row keeps its place after the last decision, and as long as the pointer rests on the inbox. */
const KEPT_MS = 6_000

/** What waits for the decision of who looks, by kinds, each decided in its row. */
export function InboxCard() {
  const { t } = useTranslation('inbox')
  const counts = useInboxCounts()
  const [decided, setDecided] = useState<readonly Decided[]>([])
  const [pointed, setPointed] = useState(false)
  const worked = useRef(false)
  const kinds: InboxKind[] =
    counts === undefined ? [] : INBOX_KIND_IDS.filter((kind) => counts[kind] > 0 || decided.some((one) => one.kind === kind))

  // nothing slides under a pointer that is about to press
  useEffect(() => {
    if (decided.length === 0 || pointed) return
    const timer = setTimeout(() => setDecided([]), KEPT_MS)
    return () => clearTimeout(timer)
  }, [decided, pointed])

  return (
    <Panel title={t('title')}>
      {counts !== undefined && kinds.length === 0 && (
        // who has just decided the last one is told by the focus that there is no more
        <div
          tabIndex={-1}
          ref={(empty) => {
            if (worked.current && document.activeElement === document.body) empty?.focus()
            worked.current = false
          }}
        >
          <Text fw={600}>{t('none.title')}</Text>
          <Text c="dimmed">{t('none.text')}</Text>
        </div>
      )}
      {counts !== undefined && kinds.length > 0 && (
        <Stack
          gap={14}
          onPointerMove={({ pointerType }) => setPointed(pointerType === 'mouse')}
          onPointerLeave={() => setPointed(false)}
          onKeyDownCapture={() => {
            worked.current = true
            setPointed(false)
          }}
        >
          <UrlTabs
            label={t('title')}
            tabs={kinds.map((kind) => ({
              id: kind,
              label: t(`kind.${kind}`),
              badge: integer(counts[kind]),
              content: <InboxList key={kind} kind={kind} decided={decided.filter((one) => one.kind === kind)} setDecided={setDecided} />,
            }))}
          />
        </Stack>
      )}
      <span className="ohma-silent" role="status">
        {decided.at(-1)?.said}
      </span>
    </Panel>
  )
}
