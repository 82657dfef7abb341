import { Badge, Button, Code, Group, SegmentedControl, Stack, Table, Text, Textarea, TextInput } from '@mantine/core'
import { IconCopy, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EXAMPLE_LANGUAGES, exampleIn, type ExampleLanguage } from '#contract/partner-example.ts'
import { copyAloud } from '#web/kit/show/copy.ts'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { exampleOf, type Operation } from './reference.ts'
import classes from './partner-api.module.css'

type OperationCardProps = { operation: Operation; origin: string; apiKey: string }

/** One call: what it takes, how it is made in three languages, and what it answers when it is tried. */
export function OperationCard({ operation, origin, apiKey }: OperationCardProps) {
  const { t } = useTranslation('partnerApi')
  const example = exampleOf(operation)
  const [language, setLanguage] = useState<ExampleLanguage>('curl')
  const [path, setPath] = useState(example.path)
  const [body, setBody] = useState(example.body === null ? '' : JSON.stringify(example.body, undefined, 2))
  const [answer, setAnswer] = useState<{ status: string; text: string }>()
  const [wrong, setWrong] = useState('')
  const parsed = body === '' ? null : parse(body)
  const call = { ...example, path, body: parsed ?? example.body }
  const text = exampleIn(language, origin, apiKey || 'ohma_…', call)

  const run = async () => {
    if (apiKey === '') return setWrong(t('needsKey'))
    if (body !== '' && parsed === null) return setWrong(t('badBody'))
    setWrong('')
    const headers = { authorization: `Bearer ${apiKey}`, ...(parsed !== null && { 'content-type': 'application/json' }) }
    try {
      const response = await fetch(`${origin}${path}`, {
        method: call.method,
        headers,
        ...(parsed !== null && { body: JSON.stringify(parsed) }),
      })
      setAnswer({ status: String(response.status), text: pretty(await response.text()) })
    } catch {
      setWrong(t('unreached'))
    }
  }

  return (
    <section className={classes.operation} aria-label={operation.summary}>
      <Group gap="xs" wrap="nowrap" align="baseline">
        <Badge variant="light" color={call.method === 'GET' ? 'gray' : 'accent'} radius="sm" className={classes.method}>
          {call.method}
        </Badge>
        <code className={classes.path}>{operation.path}</code>
      </Group>
      <Text mt={6}>{operation.summary}</Text>
      <Text fz={13} c="dimmed">
        {t('scope', { scope: operation['x-scope'] })}
      </Text>
      {operation.parameters.length > 0 && (
        <TableScroll label={t('parameters')} minWidth={280}>
          <Table fz={13} mt={8} verticalSpacing={4} aria-label={t('parameters')}>
            <Table.Tbody>
              {operation.parameters.map((one) => (
                <Table.Tr key={one.name}>
                  <Table.Td>
                    <Code>{one.name}</Code>
                  </Table.Td>
                  <Table.Td>{one.schema.enum?.join(', ') ?? one.schema.type ?? ''}</Table.Td>
                  <Table.Td c="dimmed">{one.required ? t('required') : one.in}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
      <Group justify="space-between" mt="sm" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('language')}
          value={language}
          onChange={(value) => setLanguage(value as ExampleLanguage)} // one of its own choices
          data={EXAMPLE_LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
        />
        <Button variant="default" size="compact-sm" leftSection={<IconCopy size={14} aria-hidden />} onClick={() => void copyAloud(text)}>
          {t('copy')}
        </Button>
      </Group>
      {/* long lines are scrolled, by keys too */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} className={classes.code} aria-label={t('example', { name: operation.path })}>
        {text}
      </pre>
      <Stack gap="xs" mt="sm">
        <TextInput aria-label={t('address')} value={path} onChange={(event) => setPath(event.currentTarget.value)} />
        {example.body !== null && (
          <Textarea
            aria-label={t('body')}
            autosize
            minRows={2}
            maxRows={12}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        )}
        <Group gap="sm">
          <Button variant="light" size="compact-md" leftSection={<IconPlayerPlay size={14} aria-hidden />} onClick={() => void run()}>
            {t('try')}
          </Button>
          <Text c="var(--ohma-bad, red)" fz={13} role="alert">
            {wrong}
          </Text>
        </Group>
        {answer && (
          <div role="status">
            <Text fw={600} fz={13}>
              {t('answer', { status: answer.status })}
            </Text>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <pre tabIndex={0} className={classes.code} aria-label={t('answer', { status: answer.status })}>
              {answer.text}
            </pre>
          </div>
        )}
      </Stack>
    </section>
  )
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function pretty(text: string): string {
  const value = parse(text)
  return value === null ? text : JSON.stringify(value, undefined, 2)
}
