import { Alert, Button, FileButton, Group, Select, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LARGEST_FILE } from '#contract/network/file.ts'
import { DELIMITERS, ENCODINGS, importApi, type ImportDetail, type ImportedKind } from '#contract/people/import.ts'
import { call } from '#web/api/call.ts'
import { CallError } from '#web/api/call-error.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { EarlierImports } from '#web/import/earlier-imports.tsx'
import { fieldText } from '#web/i18n/language.ts'

type FileStepProps = { kind: ImportedKind; onRead: (read: ImportDetail) => void; onOpen: (uuid: string) => void }

/** Takes a file, tells what is wrong with it, and lists earlier imports to come back to. */
export function FileStep({ kind, onRead, onOpen }: FileStepProps) {
  const { t } = useTranslation('import')
  const [reading, setReading] = useState(false)
  const [problem, setProblem] = useState('')
  const [encoding, setEncoding] = useState('auto')
  const [delimiter, setDelimiter] = useState('auto')
  const earlier = useQuery(query(importApi.list, { body: { kind, count: 10 } }, { quiet: true }))

  /** What a toast says too stays here with what to do: who looked elsewhere meanwhile finds it. */
  const problemOf = (error: unknown) => {
    if (!(error instanceof CallError)) return t('unreadable')
    if (error.status === 0) return t('lost')
    if (error.retryAfter !== undefined) return t('wait', { count: Math.ceil(error.retryAfter / 60) })
    return fieldText(error.fields['file'] ?? '')
  }

  const read = async (file: File | null) => {
    if (file === null) return
    setProblem('')
    if (file.size > LARGEST_FILE) return setProblem(t('tooLarge'))
    setReading(true)
    try {
      const body = new Uint8Array(await file.arrayBuffer())
      // both are words of the contract: the boxes hold no other
      const asked = { encoding: encoding as 'auto', delimiter: delimiter as 'auto' }
      onRead(await call(importApi.read, { query: { kind, name: file.name.slice(-200), ...asked }, body }, { form: true }))
    } catch (error) {
      setProblem(problemOf(error))
    }
    setReading(false)
  }
  return (
    <Stack>
      <Text size="sm">{t('file.text')}</Text>
      <Group align="end">
        <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(file) => void read(file)}>
          {(props) => (
            <Button {...props} loading={reading} leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
              {t('file.choose')}
            </Button>
          )}
        </FileButton>
        <Select
          label={t('encoding')}
          data={[{ value: 'auto', label: t('auto') }, ...ENCODINGS.map((value) => ({ value, label: value.toUpperCase() }))]}
          allowDeselect={false}
          value={encoding}
          onChange={(value) => setEncoding(value ?? 'auto')}
          w={150}
        />
        <Select
          label={t('delimiter')}
          data={[{ value: 'auto', label: t('auto') }, ...DELIMITERS.map((value) => ({ value, label: t(`delimiter.${value}`) }))]}
          allowDeselect={false}
          value={delimiter}
          onChange={(value) => setDelimiter(value ?? 'auto')}
          w={170}
        />
      </Group>
      {problem !== '' && (
        <Alert color="red" variant="light" role="alert">
          {problem}
        </Alert>
      )}
      <EarlierImports
        title={t('earlier')}
        of={(earlier.data?.list ?? []).map((one) => ({
          uuid: one.uuid,
          name: one.file_name || t('noName'),
          rows: t('rowsCount', { count: one.rows, number: integer(one.rows) }),
          state: t(`state.${one.state}`),
          by: one.by,
          at: one.created_at,
        }))}
        onOpen={onOpen}
      />
    </Stack>
  )
}
