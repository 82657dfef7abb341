import { Button, Code, Drawer, FileButton, Group, Stack, Table, Text, Textarea } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { rateTableApi, type RateImport } from '#contract/money/currency-rate.ts'
import { currencyRateApi } from '#contract/money/currency.ts'
import { useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { gapText } from '#web/features/money/currency/rate-words.ts'
import { fieldText } from '#web/i18n/language.ts'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'

const EXAMPLE = 'day,currency,rate\n2026-11-20,EUR,1.0865\n2026-11-20,UAH,0.0242'
const LARGEST = 2_000_000

/** Takes rates from a file or from what is pasted: looks first, then takes them; refused lines are named and passed over. */
export function RateImportDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('currency')
  const [content, setContent] = useState('')
  const [problem, setProblem] = useState('')
  const [done, setDone] = useState(false)
  const preview = useSave(rateTableApi.previewImport, { form: true })
  const take = useSave(rateTableApi.import, {
    form: true,
    invalidate: [rateTableApi.month, rateTableApi.history, currencyRateApi.list],
    onSuccess: () => setDone(true),
  })
  const look = (text: string) => {
    setContent(text)
    setDone(false)
    setProblem('')
    preview.reset()
    if (text.length > LARGEST) setProblem(t('import.tooLarge'))
    else if (text.trim() !== '')
      preview.mutate({ body: { content: text } }, { onError: (error) => setProblem(fieldText(error.fields['content'] ?? error.message)) })
  }
  const told = done ? take.data : preview.data
  const will = told === undefined ? 0 : told.added + told.replaced
  return (
    <Drawer opened onClose={onClose} position="right" size="min(640px, 100vw)" title={t('import.title')}>
      <Stack>
        <Text size="sm">{t('import.text')}</Text>
        <Code block>{EXAMPLE}</Code>
        <Group>
          <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(file) => void file?.text().then(look)}>
            {(props) => (
              <Button {...props} variant="default" loading={preview.isPending} leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
                {t('import.choose')}
              </Button>
            )}
          </FileButton>
        </Group>
        <Textarea
          label={t('import.paste')}
          value={content.length > 20_000 ? '' : content}
          placeholder={content.length > 20_000 ? t('import.long') : undefined}
          minRows={4}
          maxRows={10}
          autosize
          error={problem === '' ? undefined : problem}
          onChange={(event) => look(event.currentTarget.value)}
        />
        {told && <Told of={told} done={done} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(done ? 'import.close' : 'import.cancel')}
          </Button>
          {!done && (
            <ReasonButton
              why={will > 0 ? undefined : t(told === undefined ? 'import.first' : 'import.nothingNew')}
              loading={take.isPending || preview.isPending}
              onClick={() => take.mutate({ body: { content } })}
            >
              {t('import.take', { count: will, number: integer(will) })}
            </ReasonButton>
          )}
        </Group>
      </Stack>
    </Drawer>
  )
}

function Told({ of, done }: { of: RateImport; done: boolean }) {
  const { t } = useTranslation('currency')
  const more = of.refused - of.mistakes.length
  const counts = (['added', 'replaced', 'same', 'refused'] as const).filter((name) => of[name] > 0)
  return (
    <Stack gap={8} role="status">
      <Text fw={600}>{t(done ? 'import.done' : 'import.preview')}</Text>
      <Text size="sm">
        {counts.length === 0 ? t('import.nothing') : counts.map((name) => `${t(`import.${name}`)}: ${integer(of[name])}`).join(' · ')}
      </Text>
      {of.days && (
        <Text size="sm" c="dimmed">
          {gapText(of.days)} · {of.currencies.join(', ')} · {t('import.in', { base: of.base })}
        </Text>
      )}
      {of.mistakes.length > 0 && (
        <Table aria-label={t('import.refused')} verticalSpacing={3} fz={13}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={64}>{t('import.line')}</Table.Th>
              <Table.Th>{t('import.said')}</Table.Th>
              <Table.Th>{t('import.why')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {of.mistakes.map(({ line, text, mistake }) => (
              <Table.Tr key={line}>
                <Table.Td className="ohma-number">{line}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{text}</Table.Td>
                <Table.Td>{t(`mistake.${mistake}`)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('import.more', { count: more, number: integer(more) })}
        </Text>
      )}
    </Stack>
  )
}
