import { Anchor, Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { LastChange as Known } from '#contract/network/define-setting.ts'
import { History, historyQuery, type HistoryOf } from '#web/features/people/audit/history.tsx'
import { whoOf } from '#web/features/people/audit/entry-words.ts'
import { Moment } from '#web/kit/show/moment.tsx'

export type LastChangeProps = {
  of: HistoryOf
  /** Names the history, where it stands over the page. */
  title: string
  /** Who changed it last, where that was answered with it; otherwise the log is asked. */
  known?: Known | undefined
}

/** Who changed it last and when, and beside it the way to all its changes. Nothing while nobody has. */
export function LastChange({ of, title, known }: LastChangeProps) {
  const { t } = useTranslation('audit')
  const [open, setOpen] = useState(false)
  const newest = useQuery({ ...historyQuery(of, { page: 1, count: 1 }), enabled: known === undefined }).data?.list[0]
  const change = known === undefined ? newest && { by: newest.actor === null ? '' : whoOf(t, newest), at: newest.at } : known
  if (!change) return null
  return (
    <p className="ohma-soft">
      {change.by === '' ? t('last.system') : t('last.by', { name: change.by })}, <Moment at={change.at} />
      {' · '}
      <Anchor component="button" type="button" inherit onClick={() => setOpen(true)}>
        {t('last.history')}
      </Anchor>
      <Drawer opened={open} onClose={() => setOpen(false)} position="right" size={640} title={t('last.title', { title })}>
        {open && <History {...of} />}
      </Drawer>
    </p>
  )
}
