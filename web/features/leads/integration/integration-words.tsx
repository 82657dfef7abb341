import { Button, Group, Select, Stack, Table, Text } from '@mantine/core'
import { IconMessageQuestion } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CALL_STATUSES, type CallStatus } from '#contract/leads/call-status.ts'
import { integrationApi, type IntegrationDetail, type StatusWord } from '#contract/leads/integration.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { useViewport } from '#web/viewport.ts'
import { useCan } from '#web/shell/access.ts'

/** What is booked as paid. */
const MONEY: ReadonlySet<CallStatus> = new Set(['sale', 'shipped', 'delivered'])
/** While leads are worked off it is looked again. */
const AGAIN_MS = 2_000

/** Words of the advertiser's system no version knows, and what a person says they mean. */
export function IntegrationWords({ integration: { uuid } }: { integration: IntegrationDetail }) {
  const { t } = useTranslation('integration')
  const [count, setCount] = useState(50)
  const found = useQuery({
    ...query(integrationApi.words, { params: { uuid }, body: { count } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.list.some(({ applying }) => applying) ? AGAIN_MS : false),
  })
  return (
    <QueryPage query={found} failed={t('words.failed')}>
      {({ list, summary }) =>
        list.length === 0 ? (
          <EmptyState icon={<IconMessageQuestion size={26} aria-hidden />} title={t('words.none')} text={t('words.noneText')} />
        ) : (
          <Stack gap={12}>
            <Text fz={14} c="dimmed" maw={760}>
              {t('words.text')}
            </Text>
            <Words uuid={uuid} list={list} />
            {summary.rows > list.length && count < 200 && (
              <Group>
                <Button variant="default" loading={found.isFetching} onClick={() => setCount(200)}>
                  {t('words.more')}
                </Button>
              </Group>
            )}
          </Stack>
        )
      }
    </QueryPage>
  )
}

const keyOf = (word: StatusWord) => `${word.word} ${word.meaning}`

/** A table, or a card of each where there is no room for what is pressed. */
function Words({ uuid, list }: { uuid: string; list: readonly StatusWord[] }) {
  const { t } = useTranslation('integration')
  if (useViewport() === 'mobile')
    return (
      <TableCards
        name="words"
        label={t('words')}
        rows={[...list]}
        rowKey={keyOf}
        columns={[
          { id: 'word', header: t('words.word'), card: 'title', cell: ({ raw }) => raw },
          { id: 'first', header: t('words.first'), card: 'field', cell: (word) => <Moment at={word.first_seen_at} /> },
          { id: 'last', header: t('words.last'), card: 'field', cell: (word) => <Moment at={word.last_seen_at} /> },
          { id: 'seen', header: t('words.seen'), card: 'field', numeric: true, cell: ({ seen }) => integer(seen) },
          { id: 'waiting', header: t('words.waiting'), card: 'field', numeric: true, cell: ({ waiting }) => integer(waiting) },
          { id: 'meaning', header: t('words.meaning'), card: 'foot', cell: (word) => <Meaning uuid={uuid} of={word} /> },
        ]}
      />
    )
  return (
    <TableScroll label={t('words')} minWidth={780}>
      <Table aria-label={t('words')} maw={1100} verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('words.word')}</Table.Th>
            <Table.Th>{t('words.first')}</Table.Th>
            <Table.Th>{t('words.last')}</Table.Th>
            <Table.Th ta="right">{t('words.seen')}</Table.Th>
            <Table.Th ta="right">{t('words.waiting')}</Table.Th>
            <Table.Th>{t('words.meaning')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.map((word) => (
            <Table.Tr key={keyOf(word)}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <strong>{word.raw}</strong>
              </Table.Td>
              <Table.Td>
                <Moment at={word.first_seen_at} />
              </Table.Td>
              <Table.Td>
                <Moment at={word.last_seen_at} />
              </Table.Td>
              <Table.Td ta="right" className="ohma-number">
                {integer(word.seen)}
              </Table.Td>
              <Table.Td ta="right" className="ohma-number">
                {integer(word.waiting)}
              </Table.Td>
              <Table.Td>
                <Meaning uuid={uuid} of={word} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}

/** What a word means, to choose and to take. */
function Meaning({ uuid, of }: { uuid: string; of: StatusWord }) {
  const { t } = useTranslation('integration')
  const mobile = useViewport() === 'mobile'
  const mayWrite = useCan()('integration.write')
  const [meaning, setMeaning] = useState<CallStatus | null>(of.meaning ?? of.suggested)
  const map = useSave(integrationApi.mapWord, { invalidate: [integrationApi.words, integrationApi.get, integrationApi.list] })
  const save = async () => {
    if (meaning === null) return
    const sure =
      !MONEY.has(meaning) ||
      (await confirm({
        title: t('words.sure', { word: of.raw }),
        text: t('words.sureText', { count: of.waiting }),
        action: t('words.sureYes'),
        careful: true,
      }))
    if (sure) map.mutate({ params: { uuid }, body: { word: of.word, meaning, expected: of.meaning } })
  }
  return (
    <Group gap={8} wrap={mobile ? 'wrap' : 'nowrap'}>
      <Select
        aria-label={t('words.meaning')}
        placeholder={t('words.choose')}
        data={CALL_STATUSES.map((value) => ({ value, label: t(`callStatus.${value}`) }))}
        value={meaning}
        onChange={(value) => setMeaning(value as CallStatus | null)} // one of the data
        allowDeselect={false}
        disabled={!mayWrite}
        searchable
        w={mobile ? '100%' : 210}
      />
      {mayWrite && (
        <Button
          variant={of.meaning === null ? 'filled' : 'default'}
          disabled={meaning === null || meaning === of.meaning}
          loading={map.isPending}
          title={of.meaning === null ? undefined : t('words.changeText')}
          onClick={() => void save()}
        >
          {t(of.meaning === null ? 'words.map' : 'words.change')}
        </Button>
      )}
      {of.applying ? (
        <StatusBadge tone="waiting" label={t('words.applying')} />
      ) : (
        of.mapped_by !== null && <span className="ohma-soft">{t('words.mapped', { name: of.mapped_by })}</span>
      )}
    </Group>
  )
}
