import { Table, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { leadListImportApi } from '#contract/leads/lead-list-import.ts'
import { LEAD_LIST_FIELDS } from '#contract/leads/lead-list-mapping.ts'
import { dateTime, integer } from '#web/format.ts'
import classes from '#web/import/import.module.css'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type Preview = CallOutput<typeof leadListImportApi.preview>

/** The first people as they would be added. */
export function FirstRows({ of }: { of: Preview['list'] }) {
  const { t } = useTranslation('leadListImport')
  const shown = LEAD_LIST_FIELDS.filter((field) => of.some(({ values }) => values[field] !== undefined))
  return (
    <div>
      <Text fw={600} mb={6}>
        {t('firstRows')}
      </Text>
      <TableScroll label={t('firstRows')} minWidth={shown.length * 120 + 70}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('row')}</Table.Th>
              {shown.map((field) => (
                <Table.Th key={field}>{t(`field.${field}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {of.map(({ row, values, known }) => (
              <Table.Tr key={row}>
                <Table.Td className="ohma-number">
                  {integer(row)}
                  {known && <div className="ohma-soft">{t('known')}</div>}
                </Table.Td>
                {shown.map((field) => (
                  <Table.Td key={field} className={classes.cell} title={values[field]}>
                    {field.endsWith('_at') && values[field] !== undefined ? dateTime(values[field], 'UTC') : values[field]}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </div>
  )
}
