import { Table, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { leadListImportApi } from '#contract/leads/lead-list-import.ts'
import type { LeadListMapping } from '#contract/leads/lead-list-mapping.ts'
import { useProblemWords } from '#web/features/leads/lead-list/import/use-problem-words.ts'
import { integer } from '#web/format.ts'
import classes from '#web/import/import.module.css'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type Preview = CallOutput<typeof leadListImportApi.preview>
type NotTakenProps = { of: Preview['not_taken']; more: number; columns: readonly string[]; mapping: LeadListMapping }

/** Rows that would not be taken, each with why and what stands there. */
export function NotTaken({ of, more, columns, mapping }: NotTakenProps) {
  const { t } = useTranslation('leadListImport')
  const say = useProblemWords()
  return (
    <div>
      <Text fw={600} mb={6}>
        {t('notTaken')}
      </Text>
      <TableScroll label={t('notTaken')} minWidth={0} maxHeight={280}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={70}>{t('row')}</Table.Th>
              <Table.Th>{t('why')}</Table.Th>
              <Table.Th>{t('what')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {of.flatMap(({ row, cells, problems }) =>
              problems.map((problem, place) => {
                const column = problem.field === '' ? undefined : mapping[problem.field]
                const text = column === undefined ? cells.filter(Boolean).join(' · ') : (cells[column] ?? '')
                return (
                  <Table.Tr key={`${row} ${problem.field}`}>
                    <Table.Td className="ohma-number">{place === 0 && integer(row)}</Table.Td>
                    <Table.Td>{say(problem)}</Table.Td>
                    <Table.Td className={classes.cell} title={text}>
                      {column !== undefined && <span className="ohma-soft">{columns[column]}: </span>}
                      {text}
                    </Table.Td>
                  </Table.Tr>
                )
              }),
            )}
          </Table.Tbody>
        </Table>
      </TableScroll>
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('andMore', { count: more, number: integer(more) })}
        </Text>
      )}
    </div>
  )
}
