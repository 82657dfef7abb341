import { Tooltip } from '@mantine/core'

/** Text on one line, cut where its place ends; all of it on hover, focus or touch. */
export function CutText({ text }: { text: string }) {
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
      <span tabIndex={0} className="ohma-clip">
        {text}
      </span>
    </Tooltip>
  )
}
