import { ColorSwatch, Group, Progress, Stack } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { RecoldRow } from '#contract/leads/recold.ts'
import { progressOf } from '#web/features/leads/recold/recold-words.ts'
import { integer } from '#web/format.ts'

const SENT = 'var(--mantine-primary-color-filled)'
const LEFT = 'color-mix(in srgb, var(--ohma-soft) 60%, var(--ohma-surface))'
const OPEN = 'var(--ohma-line)'

type ProgressBarProps = {
  of: Pick<RecoldRow, 'counts' | 'waiting'>
  /** Says beneath what the colours are. */
  legend?: boolean
}

/** How many of all were sent; grey is who was passed over or cancelled. */
export function ProgressBar({ of, legend = false }: ProgressBarProps) {
  const { t } = useTranslation('recold')
  const { sent, left, total, open } = progressOf(of)
  const share = (some: number) => (total === 0 ? 0 : (some / total) * 100)
  const label = t('progress.of', { sent: integer(sent), total: integer(total) })
  const bar = (
    <Group gap={8} wrap="nowrap">
      <Progress.Root size={8} bg={OPEN} style={{ flex: 1, minWidth: 60 }} title={label}>
        <Progress.Section value={share(sent)} color={SENT} aria-label={label} />
        <Progress.Section value={share(left)} color={LEFT} withAria={false} />
      </Progress.Root>
      <span className="ohma-number">
        {integer(sent)}/{integer(total)}
      </span>
    </Group>
  )
  if (!legend) return bar
  const parts = [
    [SENT, t('progress.sent', { number: integer(sent) })],
    [LEFT, t('progress.left', { number: integer(left) })],
    [OPEN, t('progress.open', { number: integer(open) })],
  ] as const
  return (
    <Stack gap={6}>
      {bar}
      <Group gap="4px 18px" className="ohma-soft">
        {parts.map(([color, words]) => (
          <Group key={color} gap={6} wrap="nowrap">
            <ColorSwatch size={9} color={color} withShadow={false} /> {words}
          </Group>
        ))}
      </Group>
    </Stack>
  )
}
