import { Alert, Button, FileButton, Group, Select, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadListImportApi } from '#contract/leads/lead-list-import.ts'
import { LARGEST_FILE } from '#contract/network/file.ts'
import { DELIMITERS, ENCODINGS } from '#contract/people/import.ts'
import { call } from '#web/api/call.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { EarlierImports } from '#web/import/earlier-imports.tsx'
import { useFileReading } from '#web/import/use-file-reading.ts'
import type english from './lead-list-import.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    leadListImport: typeof english
  }
}

/** Takes a file, tells what is wrong with it, and lists earlier ones to come back to. */
export function FileStep({ list, onShow }: { list: string; onShow: (uuid: string) => void }) {
  const { t } = useTranslation('leadListImport')
  const [delimiter, setDelimiter] = useState<'auto' | (typeof DELIMITERS)[number]>('auto')
  const [encoding, setEncoding] = useState<'auto' | (typeof ENCODINGS)[number]>('auto')
  const earlier = useQuery(query(leadListImportApi.list, { params: { uuid: list }, body: { count: 10 } }, { quiet: true }))
  const { reading, problem, read } = useFileReading({ largest: LARGEST_FILE, words: { tooLarge: t('tooLarge'), unread: t('unread') } })
  const take = (file: File | null) =>
    read(file, async (name, body) => {
      const asked = { params: { uuid: list }, query: { name, delimiter, encoding }, body }
      onShow((await call(leadListImportApi.read, asked, { quiet: true })).uuid)
    })
  return (
    <Stack>
      <Text size="sm">{t('text')}</Text>
      <Group align="end" gap="sm">
        <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(file) => void take(file)}>
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
