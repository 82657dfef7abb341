import { Select, Table, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import type { Dialect } from '#contract/traffic/dialect.ts'
import type { shapeApi } from '#contract/traffic/shape.ts'
import { integer } from '#web/format.ts'
import classes from '#web/features/traffic/dialect/dialect.module.css'
import { wordIn, withWord } from '#web/features/traffic/dialect/mapping.ts'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type Proposed = CallOutput<typeof shapeApi.propose>
type Props = { words: Proposed['words']; goals: Proposed['goals']; dialect: Dialect; onChange: (dialect: Dialect) => void }

/** The words of the calls, each with the status or the goal it means; a word nobody says anything of stays refused. */
export function ShapeWords({ words, goals, dialect, onChange }: Props) {
  const { t } = useTranslation('dialect')
  const { t: conversion } = useTranslation('conversion')
  const choices = [
    { value: '', label: t('mapping.unknown') },
    {
      group: t('mapping.statuses'),
      items: CONVERSION_STATUSES.map((value) => ({ value: `status:${value}`, label: conversion(`status.${value}`) })),
    },
    {
      group: t('mapping.goals'),
      items: goals.map(({ code, title }) => ({ value: `goal:${code}`, label: title === code ? code : `${title} (${code})` })),
    },
  ]
  return (
    <section aria-label={t('words')}>
      <Text fz={13} mb={6}>
        {t('mapping.wordsText')}
      </Text>
      <TableScroll label={t('words')} minWidth={0}>
        <Table verticalSpacing={6} className={classes.mapping}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('words.word')}</Table.Th>
              <Table.Th>{t('mapping.in')}</Table.Th>
              <Table.Th ta="right">{t('mapping.calls')}</Table.Th>
              <Table.Th w={230}>{t('words.means')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {words.map(({ word, calls, field }) => (
              <Table.Tr key={word}>
                <Table.Td style={{ overflowWrap: 'anywhere', fontWeight: 550 }}>{word}</Table.Td>
                <Table.Td data-label={t('mapping.in')} style={{ overflowWrap: 'anywhere' }}>
                  {field}
                </Table.Td>
                <Table.Td data-label={t('mapping.calls')} className={classes.count}>
                  {integer(calls)}
                </Table.Td>
                <Table.Td data-label={t('words.means')}>
                  <Select
                    aria-label={t('mapping.wordMeans', { word })}
                    size="xs"
                    data={choices}
                    value={wordIn(dialect, word)}
                    allowDeselect={false}
                    checkIconPosition="right"
                    onChange={(value) => onChange(withWord(dialect, word, String(value ?? '')))}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </section>
  )
}
