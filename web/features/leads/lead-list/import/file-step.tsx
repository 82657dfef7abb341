import { Alert, Button, FileButton, Group, Select, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leadListImportApi } from '#contract/leads/lead-list-import.ts'
import { LARGEST_FILE } from '#contract/network/file.ts'
import { DELIMITERS, ENCODINGS } from '#contract/people/import.ts'
import { call } from '#web/api/call.ts'
import { CallError, messagesOf } from '#web/api/call-error.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { EarlierImports } from '#web/import/earlier-imports.tsx'
import { fieldText } from '#web/i18n/language.ts'
import type english from './lead-list-import.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    leadListImport: typeof english
  }
}

/** Takes a file, tells what is wrong with it, and lists earlier ones to come back to. */
export function FileStep({ list, onShow }: { list: string; onShow: (uuid: string) => void }) {
  const { t } = useTranslation('leadListImport')
  const [reading, setReading] = useState(false)
  const [problem, setProblem] = useState('')
  const [delimiter, setDelimiter] = useState<'auto' | (typeof DELIMITERS)[number]>('auto')
  const [encoding, setEncoding] = useState<'auto' | (typeof ENCODINGS)[number]>('auto')
  const earlier = useQuery(query(leadListImportApi.list, { params: { uuid: list }, body: { count: 10 } }, { quiet: true }))
  const read = async (file: File | null) => {
    if (file === null) return
    setProblem('')
    if (file.size > LARGEST_FILE) return setProblem(t('tooLarge'))
    setReading(true)
    try {
      const body = new Uint8Array(await file.arrayBuffer())
      const asked = { params: { uuid: list }, query: { name: file.name.slice(-200), delimiter, encoding }, body }
      onShow((await call(leadListImportApi.read, asked, { quiet: true })).uuid)
    } catch (error) {
      setProblem(saidOf(error) ?? t('unread'))
    }
    setReading(false)
  }
  return (
    <Stack>
      <Text size="sm">{t('text')}</Text>
      <Group align="end" gap="sm">
        <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(file) => void read(file)}>
          {(props) => (
            <Button {...props} loading={reading} leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
              {t('choose')}
            </Button>
          )}
        </FileButton>
        <Select
          label={t('delimiter')}
          data={[
            { value: 'auto', label: t('delimiter.auto') },
            ...DELIMITERS.map((value) => ({ value, label: value === 'tab' ? t('delimiter.tab') : value })),
          ]}
          value={delimiter}
          allowDeselect={false}
          onChange={(value) => setDelimiter(DELIMITERS.find((one) => one === value) ?? 'auto')}
          w={210}
        />
        <Select
          label={t('encoding')}
          data={[{ value: 'auto', label: t('encoding.auto') }, ...ENCODINGS.map((value) => ({ value, label: value.toUpperCase() }))]}
          value={encoding}
          allowDeselect={false}
          onChange={(value) => setEncoding(ENCODINGS.find((one) => one === value) ?? 'auto')}
          w={210}
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
          rows: t('rows', { count: one.rows, number: integer(one.rows) }),
          state: t(`status.${one.status}`),
          by: one.by,
          at: one.created_at,
        }))}
        onOpen={onShow}
      />
    </Stack>
  )
}

/** What the server says is wrong with a file; undefined where it did not come that far. */
function saidOf(error: unknown): string | undefined {
  if (!(error instanceof CallError) || error.status === 0) return undefined
  const { file } = error.fields
  return file === undefined ? messagesOf(error).join(' ') : fieldText(file)
}
