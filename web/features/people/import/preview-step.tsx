import { Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { importApi, type ImportDetail } from '#contract/people/import.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import type { Plan } from '#web/features/people/import/plan.ts'
import { useFieldNames } from '#web/features/people/import/use-field-names.ts'
import { ImportCounts } from '#web/import/import-counts.tsx'
import { fieldText } from '#web/i18n/language.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import classes from '#web/features/people/import/import.module.css'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type PreviewStepProps = { detail: ImportDetail; plan: Plan; onBack: () => void }

/** Shows the first rows as they would be, and those that would not with why; then begins. */
export function PreviewStep({ detail, plan, onBack }: PreviewStepProps) {
  const { t } = useTranslation('import')
  const nameOf = useFieldNames(detail.kind)
  const { uuid } = detail
  const found = useQuery({ ...query(importApi.preview, { params: { uuid }, body: plan }), staleTime: 0 })
  const start = useSave(importApi.start, { invalidate: [importApi.get, importApi.list] })
  if (found.isError) return <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Skeleton height={260} />
  const { good, skipped, bad, list, refused } = found.data
  const shown = [
    'name',
    'email',
    ...Object.keys(plan.mapping).filter((field) => field !== 'name' && field !== 'email' && field !== 'manager'),
  ]
  const placeOf = (field: string) => (plan.mapping as Readonly<Record<string, number>>)[field]
  /** By the name the file has for it; a field no column was chosen for by its own. */
  const columnOf = (field: string) => {
    const place = placeOf(field)
    return place === undefined ? nameOf(field) || t('whole') : detail.columns[place] || t('unnamed', { number: place + 1 })
  }
  const cellOf = (field: string, cells: readonly string[]) => cells[placeOf(field) ?? -1] ?? ''
  return (
    <Stack>
      <ImportCounts
        of={[
          { label: t('count.good'), value: good },
          { label: t('count.skipped'), value: skipped },
          { label: t('count.bad'), value: bad },
        ]}
      />
      {list.length > 0 && (
        <TableScroll label={t('firstRows')} minWidth={560}>
          <Table className={classes.table} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('row')}</Table.Th>
                {shown.map((field) => (
                  <Table.Th key={field}>{nameOf(field)}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.map(({ line, values }) => (
                <Table.Tr key={line}>
                  <Table.Td className="ohma-number">{integer(line)}</Table.Td>
                  {shown.map((field) => (
                    <Table.Td key={field}>{values[field]}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
      {refused.length > 0 && (
        <div>
          <Text fw={600} mb={6}>
            {t('notMade')}
          </Text>
          <TableScroll label={t('notMade')} minWidth={0} maxHeight={320} className={classes.refused}>
            <Table className={classes.table} verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('row')}</Table.Th>
                  <Table.Th>{t('columnOfFile')}</Table.Th>
                  <Table.Th>{t('valueOfFile')}</Table.Th>
                  <Table.Th>{t('wrong')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {refused.flatMap(({ line, skipped: passed, cells, problems }) =>
                  Object.entries(problems).map(([field, text], index) => (
                    <Table.Tr key={`${line} ${field}`} data-skipped={passed || undefined}>
                      <Table.Td className="ohma-number">{index === 0 && integer(line)}</Table.Td>
                      <Table.Td>{columnOf(field)}</Table.Td>
                      <Table.Td className={classes.examples} title={cellOf(field, cells)}>
                        {cellOf(field, cells)}
                      </Table.Td>
                      <Table.Td>{fieldText(text)}</Table.Td>
                    </Table.Tr>
                  )),
                )}
              </Table.Tbody>
            </Table>
          </TableScroll>
          {skipped + bad > refused.length && (
            <Text size="sm" c="dimmed">
              {t('andMore', { count: skipped + bad - refused.length, number: integer(skipped + bad - refused.length) })}
            </Text>
          )}
        </div>
      )}
      <Group justify="space-between">
        <Button variant="default" onClick={onBack}>
          {t('toColumns')}
        </Button>
        <Button disabled={good === 0} loading={start.isPending} onClick={() => start.mutate({ params: { uuid }, body: plan })}>
          {t(`start.${detail.kind}`, { count: good, number: integer(good) })}
        </Button>
      </Group>
    </Stack>
  )
}
