import { Alert, FileButton, Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DELIMITERS } from '#contract/people/import.ts'
import { conversionImportApi, LARGEST_CONVERSION_FILE } from '#contract/traffic/conversion-import.ts'
import { call } from '#web/api/call.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { EarlierImports } from '#web/import/earlier-imports.tsx'
import { useFileReading } from '#web/import/use-file-reading.ts'
import type english from './conversion-import.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    conversionImport: typeof english
  }
}

/** Takes a file, tells what is wrong with it, and lists earlier imports to come back to. */
export function FileStep({ onShow }: { onShow: (uuid: string) => void }) {
  const { t } = useTranslation('conversionImport')
  const [delimiter, setDelimiter] = useState<'auto' | (typeof DELIMITERS)[number]>('auto')
  const earlier = useQuery(query(conversionImportApi.list, { body: { count: 10 } }, { quiet: true }))
  const { reading, problem, read } = useFileReading({
    largest: LARGEST_CONVERSION_FILE,
    words: { tooLarge: t('tooLarge'), unread: t('unread') },
  })
  const take = (file: File | null) =>
    read(file, async (name, body) => {
      onShow((await call(conversionImportApi.read, { query: { name, delimiter }, body }, { quiet: true })).uuid)
    })
  return (
    <Stack>
      <Text size="sm">{t('text')}</Text>
      <Group align="end" gap="sm">
        <Select
          label={t('delimiter')}
          data={[
            { value: 'auto', label: t('delimiter.auto') },
            ...DELIMITERS.map((value) => ({ value, label: value === 'tab' ? t('delimiter.tab') : value })),
          ]}
          value={delimiter}
          allowDeselect={false}
          onChange={(value) => setDelimiter(DELIMITERS.find((one) => one === value) ?? 'auto')}
          w={220}
        />
        <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} loading={reading} leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
              {t('choose')}
            </Button>
          )}
        </FileButton>
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
          state: t(`state.${one.state}`),
          by: one.by,
          at: one.created_at,
        }))}
        onOpen={onShow}
      />
    </Stack>
  )
}
