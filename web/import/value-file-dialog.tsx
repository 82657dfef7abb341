import { Alert, Button, FileButton, Group, Select, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { CallError } from '#web/api/call-error.ts'
import { integer } from '#web/format.ts'
import { fieldText } from '#web/i18n/language.ts'
import { toCsv } from '#web/kit/list/export/csv.ts'
import { downloadCsv } from '#web/kit/list/export/run-export.ts'
import { Modal } from '#web/kit/page/modal.tsx'

const LARGEST = 5_000_000

/** A file as it is sent. */
export type ValueFile = { name: string; bytes: Uint8Array<ArrayBuffer> }
type Refused = { line: number; value: string; problem: string }
type Seen<Kind extends string> = {
  /** Columns with a name nobody reads. */
  unread: readonly string[]
  good: number
  there: number
  bad: number
  list: readonly { line: number; kind: Kind; shown: string; note: string }[]
  refused: readonly Refused[]
}

type Words<Kind extends string> = {
  title: string
  text: string
  choose: string
  tooLarge: string
  unreadable: string
  refused: string
  row: string
  value: string
  why: string
  saveLeft: string
  close: string
  unread: (columns: string) => string
  kind: (kind: Kind) => string
  seen: (numbers: { fresh: string; there: string; bad: string }) => string
  rowOf: (line: string) => string
  left: (count: number, number: string) => string
  action: (number: string) => string
}

type ValueFileProps<Choice extends string, Kind extends string> = {
  words: Words<Kind>
  /** What is said of all rows. */
  choice: { label: string; options: readonly { value: Choice; label: string }[]; first: Choice }
  look: (file: ValueFile, choice: Choice) => Promise<Seen<Kind>>
  /** Adds what the file holds, then tells which rows were refused. */
  save: (file: ValueFile, choice: Choice, done: (refused: readonly Refused[]) => void) => void
  saving: boolean
  /** What the file of refused rows is called. */
  leftName: string
  children?: ReactNode
  onClose: () => void
}

/** Adds values out of a CSV file to a list: looked through first, and what is refused of it as a file. */
export function ValueFileDialog<Choice extends string, Kind extends string>(props: ValueFileProps<Choice, Kind>) {
  const { words, choice, look, save, saving, leftName, children, onClose } = props
  const [chosen, setChosen] = useState<Choice>(choice.first)
  const [file, setFile] = useState<ValueFile>()
  const [seen, setSeen] = useState<Seen<Kind>>()
  const [left, setLeft] = useState<readonly Refused[]>([])
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const lookAt = async (next: ValueFile, asked: Choice) => {
    setFile(next)
    setSeen(undefined)
    setLeft([])
    setProblem('')
    setBusy(true)
    try {
      setSeen(await look(next, asked))
    } catch (error) {
      setProblem(error instanceof CallError ? fieldText(error.fields['file'] ?? '') || error.message : words.unreadable)
    }
    setBusy(false)
  }
  const open = async (next: File | null) => {
    if (next === null) return
    // what cannot be sent is not read either: it may be a gigabyte
    const bytes = next.size > LARGEST ? null : await next.arrayBuffer().catch(() => null)
    if (bytes !== null) return lookAt({ name: next.name.slice(-200), bytes: new Uint8Array(bytes) }, chosen)
    setFile(undefined)
    setSeen(undefined)
    setLeft([])
    setProblem(next.size > LARGEST ? words.tooLarge : words.unreadable)
  }
  const done = (refused: readonly Refused[]) => {
    setLeft(refused)
    setFile(undefined)
    setSeen(undefined)
    if (refused.length === 0) onClose()
  }
  const saveLeft = () => {
    const columns = [
      { header: words.row, value: ({ line }: Refused) => line, numeric: true },
      { header: words.value, value: ({ value }: Refused) => value },
      { header: words.why, value: ({ problem: why }: Refused) => fieldText(why) },
    ]
    downloadCsv(leftName, toCsv(columns, left))
  }
  return (
    <Modal opened onClose={onClose} title={words.title} centered size={620}>
      <Stack gap="md">
        <Text fz={13.5} c="dimmed">
          {words.text}
        </Text>
        <Group align="end">
          <Select
            label={choice.label}
            data={choice.options}
            allowDeselect={false}
            value={chosen}
            onChange={(value) => {
              const next = choice.options.find((one) => one.value === value)?.value ?? choice.first
              setChosen(next)
              if (file !== undefined) void lookAt(file, next)
            }}
            w={220}
          />
          <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(next) => void open(next)}>
            {(button) => (
              <Button {...button} variant="default" loading={busy} leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
                {words.choose}
              </Button>
            )}
          </FileButton>
          {file !== undefined && <span className="ohma-soft">{file.name}</span>}
        </Group>
        {problem !== '' && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        {seen !== undefined && <Understood of={seen} words={words} />}
        {left.length > 0 && (
          <Alert color="yellow" variant="light" role="status">
            <Group justify="space-between">
              <span>{words.left(left.length, integer(left.length))}</span>
              <Button size="compact-sm" variant="default" onClick={saveLeft}>
                {words.saveLeft}
              </Button>
            </Group>
          </Alert>
        )}
        {children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {words.close}
          </Button>
          <Button
            disabled={file === undefined || seen === undefined || seen.good === seen.there}
            loading={saving}
            onClick={() => file && save(file, chosen, done)}
          >
            {words.action(integer((seen?.good ?? 0) - (seen?.there ?? 0)))}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

type UnderstoodProps<Kind extends string> = { of: Seen<Kind>; words: Words<Kind> }

function Understood<Kind extends string>({ of: { unread, good, there, bad, list, refused }, words }: UnderstoodProps<Kind>) {
  return (
    <Stack gap={6}>
      <strong>{words.seen({ fresh: integer(good - there), there: integer(there), bad: integer(bad) })}</strong>
      {unread.length > 0 && (
        <Text fz={13} c="var(--ohma-waiting)" style={{ overflowWrap: 'anywhere' }}>
          {words.unread(unread.join(', '))}
        </Text>
      )}
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {list.map(({ line, kind, shown, note }) => (
          <li key={`${line} ${kind} ${shown}`}>
            {shown} <span className="ohma-soft">{[words.kind(kind), note].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
      {refused.length > 0 && (
        <Stack gap={4} mah={160} style={{ overflowY: 'auto' }} tabIndex={0} role="group" aria-label={words.refused}>
          {refused.map(({ line, value, problem }) => (
            <Text key={`${line} ${value}`} fz={13} style={{ overflowWrap: 'anywhere' }}>
              {words.rowOf(integer(line))} {value} <span className="ohma-soft">{fieldText(problem)}</span>
            </Text>
          ))}
        </Stack>
      )}
    </Stack>
  )
}
