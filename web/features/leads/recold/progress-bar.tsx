import { Group, Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RecoldRow } from '#contract/leads/recold.ts'
import { progressOf } from '#web/features/leads/recold/recold-words.ts'
import { integer } from '#web/format.ts'

/** How many of all were sent; grey is who was passed over or cancelled. */
export function ProgressBar({ of }: { of: Pick<RecoldRow, 'counts' | 'waiting'> }) {
  const { t } = useTranslation('recold')
  const { sent, left, total } = progressOf(of)
  const share = (some: number) => (total === 0 ? 0 : (some / total) * 100)
  const label = t('progress.of', { sent: integer(sent), total: integer(total) })
  return (
    <Group gap={8} wrap="nowrap">
      <Progress.Root size={8} style={{ flex: 1, minWidth: 60 }} title={label}>
        <Progress.Section value={share(sent)} aria-label={label} />
        <Progress.Section value={share(left)} color="gray" withAria={false} />
      </Progress.Root>
      <span className="ohma-number">
        {integer(sent)}/{integer(total)}
      </span>
    </Group>
  )
}
