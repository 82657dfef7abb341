import { Button, Select, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { AMOUNT_MEANINGS, DIALECT_MEANINGS, DIALECT_NUMBERS, type Dialect } from '#contract/traffic/dialect.ts'
import type { shapeApi } from '#contract/traffic/shape.ts'
import { integer } from '#web/format.ts'
import classes from '#web/features/traffic/dialect/dialect.module.css'
import { meaningIn, numbersIn, numbersOfAll, withMeaning, withNumbers } from '#web/features/traffic/dialect/mapping.ts'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type Fields = CallOutput<typeof shapeApi.propose>['fields']
type Props = { fields: Fields; dialect: Dialect; onChange: (dialect: Dialect) => void }
const FIRST = 12

/** The parameters of the calls with what they hold, each with what it says; those that say something first. */
export function ShapeFields({ fields, dialect, onChange }: Props) {
  const { t } = useTranslation('dialect')
  const [all, setAll] = useState(false)
  const [order] = useState(() => fields.toSorted((a, b) => Number(a.means === null) - Number(b.means === null)))
  const shown = all ? order : order.slice(0, FIRST)
  return (
    <section aria-label={t('names')}>
      <TableScroll label={t('names')} minWidth={0}>
        <Table verticalSpacing={6} className={classes.mapping}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('names.name')}</Table.Th>
              <Table.Th>{t('mapping.samples')}</Table.Th>
              <Table.Th w={230}>{t('names.means')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ name, samples, calls }) => (
              <Table.Tr key={name}>
                <Table.Td style={{ overflowWrap: 'anywhere', fontWeight: 550 }}>{name}</Table.Td>
                <Table.Td data-label={t('mapping.samples')} style={{ overflowWrap: 'anywhere' }}>
                  {calls === 0
                    ? t('mapping.empty')
                    : samples.map((sample) => (sample.length > 44 ? `${sample.slice(0, 42)}…` : sample)).join(', ')}
                </Table.Td>
                <Table.Td data-label={t('names.means')}>
                  <Select
                    aria-label={t('mapping.means', { name })}
                    size="xs"
                    data={[
                      { value: '', label: t('mapping.usual') },
                      ...DIALECT_MEANINGS.map((value) => ({ value, label: t(`means.${value}`) })),
                    ]}
                    value={meaningIn(dialect, name) ?? ''}
                    allowDeselect={false}
                    checkIconPosition="right"
                    onChange={(value) => onChange(withMeaning(dialect, name, DIALECT_MEANINGS.find((one) => one === value) ?? null))}
                  />
                  {AMOUNT_MEANINGS.has(meaningIn(dialect, name) ?? '') && (
                    <Select
                      aria-label={t('mapping.numbers', { name })}
                      size="xs"
                      mt={4}
                      data={[
                        { value: '', label: t('numbers.ofAll') },
                        ...DIALECT_NUMBERS.map((value) => ({ value, label: t(`numbers.${value}`) })),
                      ]}
                      value={numbersIn(dialect, name) ?? ''}
                      allowDeselect={false}
                      checkIconPosition="right"
                      onChange={(value) => onChange(withNumbers(dialect, name, DIALECT_NUMBERS.find((one) => one === value) ?? null))}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
      {order.length > FIRST && !all && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          {t('mapping.more', { number: integer(order.length - FIRST) })}
        </Button>
      )}
      <Select
        label={t('numbers')}
        size="xs"
        mt={10}
        maw={320}
        data={numbersOfAll(dialect).map((value) => ({ value, label: t(value === 'minor' ? 'numbers.minorNamed' : `numbers.${value}`) }))}
        value={dialect.numbers}
        allowDeselect={false}
        checkIconPosition="right"
        onChange={(value) => onChange({ ...dialect, numbers: DIALECT_NUMBERS.find((one) => one === value) ?? 'auto' })}
      />
      <Text fz={12} c="dimmed" mt={6}>
        {t('mapping.usualText')}
      </Text>
    </section>
  )
}
