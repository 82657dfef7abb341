import { Alert, Button, FileButton, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallOutput } from '#contract/endpoint.ts'
import { BLACKLIST_KINDS, blacklistApi } from '#contract/leads/blacklist.ts'
import { call } from '#web/api/call.ts'
import { CallError } from '#web/api/call-error.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { fieldText } from '#web/i18n/language.ts'
import { toCsv } from '#web/kit/list/export/csv.ts'
import { downloadCsv } from '#web/kit/list/export/run-export.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'

const LARGEST = 5_000_000
type Chosen = { name: string; bytes: Uint8Array<ArrayBuffer> }
type Asked = 'by_row' | (typeof BLACKLIST_KINDS)[number]
type Refused = CallOutput<typeof blacklistApi.import>['refused']

/** Adds what a CSV file holds: looked through first, what is refused as a file, and taken back within a day. */
export function ImportFile({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('blacklist')
  const [kind, setKind] = useState<Asked>('by_row')
  const [file, setFile] = useState<Chosen>()
  const [seen, setSeen] = useState<CallOutput<typeof blacklistApi.preview>>()
  const [left, setLeft] = useState<Refused>([])
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const save = useSave(blacklistApi.import, {
    form: true,
    invalidate: [blacklistApi.list, blacklistApi.imports],
    onSuccess: ({ made, refused }) => {
      notify.success(t('imported', { count: made, number: integer(made) }))
      setLeft(refused)
      setFile(undefined)
      setSeen(undefined)
      if (refused.length === 0) onClose()
    },
  })
  const look = async (next: Chosen, asked: Asked) => {
    setFile(next)
    setSeen(undefined)
    setLeft([])
    setProblem('')
    if (next.bytes.length > LARGEST) return setProblem(t('tooLarge'))
    setBusy(true)
    try {
      setSeen(await call(blacklistApi.preview, { query: { name: next.name, kind: asked }, body: next.bytes }, { form: true }))
    } catch (error) {
      setProblem(error instanceof CallError ? fieldText(error.fields['file'] ?? '') || error.message : t('unreadable'))
    }
    setBusy(false)
  }
  const choose = async (next: File | null) => {
    if (next !== null) await look({ name: next.name.slice(-200), bytes: new Uint8Array(await next.arrayBuffer()) }, kind)
  }
  const saveLeft = () =>
    downloadCsv(
      'blacklist-errors.csv',
      toCsv(
        [
          { header: t('row'), value: ({ line }: Refused[number]) => line, numeric: true },
          { header: t('value'), value: ({ value }) => value },
          { header: t('why'), value: ({ problem: why }) => fieldText(why) },
        ],
        left,
      ),
    )
  return (
    <Modal opened onClose={onClose} title={t('import.title')} centered size={620}>
      <Stack gap="md">
        <Text fz={13.5} c="dimmed">
          {t('import.text')}
        </Text>
        <Group align="end">
          <Select
            label={t('kind')}
            data={(['by_row', ...BLACKLIST_KINDS] as const).map((value) => ({ value, label: t(`kind.${value}`) }))}
            allowDeselect={false}
            value={kind}
            onChange={(value) => {
              const next = (value ?? 'by_row') as Asked // the box holds no other
              setKind(next)
              if (file !== undefined) void look(file, next)
            }}
            w={220}
          />
          <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(next) => void choose(next)}>
            {(props) => (
              <Button {...props} variant="default" loading={busy} leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
                {t('choose')}
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
        {seen !== undefined && <Seen of={seen} />}
        {left.length > 0 && (
          <Alert color="yellow" variant="light" role="status">
            <Group justify="space-between">
              <span>{t('left', { count: left.length, number: integer(left.length) })}</span>
              <Button size="compact-sm" variant="default" onClick={saveLeft}>
                {t('saveLeft')}
              </Button>
            </Group>
          </Alert>
        )}
        <Earlier />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          <Button
            disabled={file === undefined || seen === undefined || seen.good === seen.there}
            loading={save.isPending}
            onClick={() => file && save.mutate({ query: { name: file.name, kind }, body: file.bytes })}
          >
            {t('import.do', { number: integer((seen?.good ?? 0) - (seen?.there ?? 0)) })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Seen({ of: { good, there, bad, list, refused } }: { of: CallOutput<typeof blacklistApi.preview> }) {
  const { t } = useTranslation('blacklist')
  return (
    <Stack gap={6}>
      <strong>{t('seen', { fresh: integer(good - there), there: integer(there), bad: integer(bad) })}</strong>
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {list.map(({ line, kind, shown, note }) => (
          <li key={line}>
            {shown} <span className="ohma-soft">{[t(`kind.${kind}`), note].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
      {refused.length > 0 && (
        <Stack gap={4} mah={160} style={{ overflowY: 'auto' }} tabIndex={0} role="group" aria-label={t('refused')}>
          {refused.map(({ line, value, problem }) => (
            <Text key={line} fz={13} style={{ overflowWrap: 'anywhere' }}>
              {t('rowOf', { line: integer(line) })} {value} <span className="ohma-soft">{fieldText(problem)}</span>
            </Text>
          ))}
        </Stack>
      )}
    </Stack>
  )
}

/** The files that came before, those of the last day with the way back. */
function Earlier() {
  const { t } = useTranslation('blacklist')
  const { data } = useQuery(query(blacklistApi.imports, {}, { quiet: true }))
  const undo = useSave(blacklistApi.undo, {
    invalidate: [blacklistApi.list, blacklistApi.imports],
    onSuccess: ({ changed }) => notify.success(t('removed', { count: changed, number: integer(changed) })),
  })
  const list = data?.list.slice(0, 5) ?? []
  if (list.length === 0) return null
  return (
    <Stack gap={4}>
      <strong>{t('earlier')}</strong>
      {list.map(({ uuid, file_name, made, removed, created_at, by, undo_until }) => (
        <Group key={uuid} justify="space-between" wrap="nowrap">
          <Text fz={13.5} style={{ overflowWrap: 'anywhere' }}>
            {file_name || t('noName')}{' '}
            <span className="ohma-soft">
              {t(removed === null ? 'earlier.made' : 'earlier.removed', { number: integer(removed ?? made) })} · {by} ·{' '}
              <Moment at={created_at} />
            </span>
          </Text>
          {undo_until !== null && (
            <Button size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.mutate({ body: { uuid } })}>
              {t('takeBack')}
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  )
}
