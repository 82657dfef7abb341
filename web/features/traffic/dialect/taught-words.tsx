import { ActionIcon, Group, Select, Table, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { conversionImportApi } from '#contract/traffic/conversion-import.ts'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import { query, useSave } from '#web/api/query.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { useCan } from '#web/shell/access.ts'

/** What words in the advertiser's files mean, as somebody said when they imported one: changed or forgotten here. Nothing where there are none. */
export function TaughtWords({ advertiser }: { advertiser: string }) {
  const { t } = useTranslation('dialect')
  const { t: conversion } = useTranslation('conversion')
  const mayWrite = useCan()('advertiser.write')
  const taught = useQuery(query(conversionImportApi.words, { params: { uuid: advertiser } }, { quiet: true }))
  const teach = useSave(conversionImportApi.teach, { invalidate: [conversionImportApi.words, conversionImportApi.preview] })
  const list = taught.data?.list ?? []
  if (list.length === 0) return null
  const say = (word: string, means: (typeof CONVERSION_STATUSES)[number] | null) =>
    teach.mutate({ params: { uuid: advertiser }, body: { word, means } })
  return (
    <Panel title={t('taught')} text={t('taughtText')}>
      <TableScroll label={t('taught')} minWidth={0}>
        <Table verticalSpacing={6} horizontalSpacing={10}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('words.word')}</Table.Th>
              <Table.Th>{t('words.means')}</Table.Th>
              <Table.Th>{t('taught.said')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {list.map(({ word, means, by, at, may, ignored }) => (
              <Table.Tr key={word}>
                <Table.Th scope="row">{word}</Table.Th>
                <Table.Td>
                  {mayWrite ? (
                    <Group gap={6} wrap="nowrap">
                      <Select
                        aria-label={t('taught.of', { word })}
                        data={(may ?? CONVERSION_STATUSES).map((value) => ({ value, label: conversion(`status.${value}`) }))}
                        allowDeselect={false}
                        value={ignored ? null : means}
                        disabled={teach.isPending}
                        onChange={(value) => say(word, CONVERSION_STATUSES.find((one) => one === value) ?? means)}
                        maw={240}
                        miw={110}
                        flex={1}
                      />
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={34}
                        aria-label={t('taught.forgetWord', { word })}
                        disabled={teach.isPending}
                        onClick={() => say(word, null)}
                      >
                        <IconTrash size={16} aria-hidden />
                      </ActionIcon>
                    </Group>
                  ) : (
                    <ConversionStatusBadge status={means} />
                  )}
                  {ignored && (
                    <Text fz={13} c="dimmed" mt={4}>
                      {t('taught.ignored', { status: conversion(`status.${means}`) })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className="ohma-soft">
                  {by || t('somebody')}, <Moment at={at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Panel>
  )
}
