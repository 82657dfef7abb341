import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import { ImportCounts } from '#web/import/import-counts.tsx'
import { Until } from '#web/kit/show/until.tsx'

type ImportOutcomeProps = {
  /** What a worker is at; null once it is done. */
  working: { text: string; share: number } | null
  /** What became of the file, once that is known. */
  said: string
  counts: readonly { label: string; value: number }[]
  /** Rows that did not come to what they say, to save as a file. */
  left: { text: string; loading: boolean; onSave: () => void } | null
  /** Until when it may be taken back; null = until something else keeps it. */
  undo: { until: string | null; loading: boolean; onUndo: () => void } | null
  /** Ends what a worker is at. */
  stop?: { text: string; loading: boolean; onStop: () => void } | null
  words: { progress: string; mayLeave: string; undo: string; until: string; another: string; close: string }
  onNew: () => void
  onClose: () => void
}

/** How far an import has come, and what became of it: counts, the rows that were left as a file, and taking it back. */
export function ImportOutcome({ working, said, counts, left, undo, stop, words, onNew, onClose }: ImportOutcomeProps) {
  return (
    <Stack>
      {working === null ? (
        <Text role="status" fw={600}>
          {said}
        </Text>
      ) : (
        <>
          <Text role="status">{working.text}</Text>
          <Progress value={Math.round(working.share * 100)} animated aria-label={words.progress} />
          <Text size="sm" c="dimmed">
            {words.mayLeave}
          </Text>
        </>
      )}
      <ImportCounts of={counts} />
      {stop && (
        <div>
          <Button variant="default" loading={stop.loading} onClick={stop.onStop}>
            {stop.text}
          </Button>
        </div>
      )}
      {working === null && (
        <Group>
          {left !== null && (
            <Button variant="default" loading={left.loading} leftSection={<IconDownload size={16} aria-hidden />} onClick={left.onSave}>
              {left.text}
            </Button>
          )}
          {undo !== null && (
            <Button
              variant="default"
              color="red"
              loading={undo.loading}
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              onClick={undo.onUndo}
            >
              {words.undo}
            </Button>
          )}
          <Button variant="default" onClick={onNew}>
            {words.another}
          </Button>
          <Button onClick={onClose}>{words.close}</Button>
        </Group>
      )}
      {undo !== null && undo.until !== null && (
        <Text size="sm" c="dimmed">
          {words.until} <Until at={undo.until} />
        </Text>
      )}
    </Stack>
  )
}
