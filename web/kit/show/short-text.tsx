import { Tooltip } from '@mantine/core'
import { shorten } from '#web/format.ts'

/** Long text cut to 10 characters and "…"; all of it on hover or focus. */
export function ShortText({ text }: { text: string }) {
  const short = shorten(text)
  if (short === text) return <span>{text}</span>
  return (
    <Tooltip
      label={text}
      multiline
      maw={420}
      events={{ hover: true, focus: true, touch: true }}
      styles={{ tooltip: { overflowWrap: 'anywhere' } }}
    >
      {/* keyboards reach the full text too */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <span tabIndex={0}>{short}</span>
    </Tooltip>
  )
}
