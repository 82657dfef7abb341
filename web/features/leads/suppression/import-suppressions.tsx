import { Alert, Button, FileButton, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallOutput } from '#contract/endpoint.ts'
import { GIVEN_REASONS, suppressionApi } from '#contract/leads/suppression.ts'
import { call } from '#web/api/call.ts'
import { CallError } from '#web/api/call-error.ts'
import { useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { fieldText } from '#web/i18n/language.ts'
import { toCsv } from '#web/kit/list/export/csv.ts'
import { downloadCsv } from '#web/kit/list/export/run-export.ts'
import { notify } from '#web/notify.ts'

const LARGEST = 5_000_000
type Chosen = { name: string; bytes: Uint8Array<ArrayBuffer> }
type Reason = (typeof GIVEN_REASONS)[number]
type Refused = CallOutput<typeof suppressionApi.import>['refused']

/** Suppresses what a CSV file holds: looked through first, and what is refused of it as a file. */
export function ImportSuppressions({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('suppression')
  const [reason, setReason] = useState<Reason>('dnc')
  const [file, setFile] = useState<Chosen>()
  const [seen, setSeen] = useState<CallOutput<typeof suppressionApi.preview>>()
  const [left, setLeft] = useState<Refused>([])
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const save = useSave(suppressionApi.import, {
    form: true,
    invalidate: [suppressionApi.list],
    onSuccess: ({ made, refused }) => {
      notify.success(t('imported', { count: made, number: integer(made) }))
      setLeft(refused)
      setFile(undefined)
      setSeen(undefined)
      if (refused.length === 0) onClose()
    },
  })
  const look = async (chosen: File | null) => {
    if (chosen === null) return
    const next = { name: chosen.name.slice(-200), bytes: new Uint8Array(await chosen.arrayBuffer()) }
    setFile(next)
    setSeen(undefined)
    setLeft([])
    setProblem('')
    if (next.bytes.length > LARGEST) return setProblem(t('tooLarge'))
    setBusy(true)
    try {
      setSeen(await call(suppressionApi.preview, { query: { name: next.name }, body: next.bytes }, { form: true }))
    } catch (error) {
      setProblem(error instanceof CallError ? fieldText(error.fields['file'] ?? '') || error.message : t('unreadable'))
    }
    setBusy(false)
  }
  const saveLeft = () =>
    downloadCsv(
      'suppression-errors.csv',
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
            label={t('reason')}
            data={GIVEN_REASONS.map((value) => ({ value, label: t(`reason.${value}`) }))}
            allowDeselect={false}
            value={reason}
            onChange={(value) => setReason((value ?? 'dnc') as Reason) /* the box holds no other */}
            w={220}
          />
          <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(next) => void look(next)}>
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
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          <Button
            disabled={file === undefined || seen === undefined || seen.good === seen.there}
            loading={save.isPending}
            onClick={() => file && save.mutate({ query: { name: file.name, reason }, body: file.bytes })}
          >
            {t('import.do', { number: integer((seen?.good ?? 0) - (seen?.there ?? 0)) })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Seen({ of: { good, there, bad, list, refused } }: { of: CallOutput<typeof suppressionApi.preview> }) {
  const { t } = useTranslation('suppression')
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
