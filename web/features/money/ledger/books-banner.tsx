import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query } from '#web/api/query.ts'
import { exactTime, integer, money } from '#web/format.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { useCan } from '#web/shell/access.ts'

type Books = CallOutput<typeof ledgerApi.books>

/** Says over all of billing that the books do not agree, what differs, and who lets payments go on all the same; nothing while they agree. */
export function BooksBanner() {
  const { t } = useTranslation('ledger')
  const can = useCan()
  const zone = useZone()
  const [shown, setShown] = useState(false)
  const [noting, setNoting] = useState(false)
  const { data: books } = useQuery(query(ledgerApi.books, {}, { quiet: true }))
  if (books === undefined || books.since === null) return null
  const { differences, notes, closed } = books
  return (
    <Alert
      color={closed ? 'red' : 'var(--ohma-waiting)'}
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={t('books.title', { time: exactTime(books.since, zone) })}
      mb="md"
      // a list that fills the screen beneath takes none of its height, nor a wide table its width
      flex="none"
      styles={{ wrapper: { minWidth: 0 }, body: { minWidth: 0 } }}
    >
      <Stack gap={10}>
        <Text fz={14}>{closed ? t('books.closed') : t('books.noted')}</Text>
        {notes.map(({ at, actor, reason }) => (
          <Text key={at} fz={14}>
            {t('books.note', { name: actor, time: exactTime(at, zone), reason })}
          </Text>
        ))}
        <Group gap={8}>
          <Button size="compact-sm" variant="default" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {t(shown ? 'books.hide' : 'books.show', { count: differences.length, number: integer(differences.length) })}
          </Button>
          {closed && can('system.health') && (
            <Button size="compact-sm" variant="default" onClick={() => setNoting(true)}>
              {t('books.doNote')}
            </Button>
          )}
        </Group>
        {shown && <Differences list={differences} />}
      </Stack>
      {noting && <NoteDialog seen={books.seen} onClose={() => setNoting(false)} />}
    </Alert>
  )
}

function Differences({ list }: { list: Books['differences'] }) {
  const { t } = useTranslation('ledger')
  const zone = useZone()
  const amount = (text: string, currency: string | null) =>
    currency === null || !/^-?\d+(\.\d+)?$/.test(text) ? text.slice(0, 16) : money(text, currency)
  return (
    <TableScroll label={t('books.what')} minWidth={560} maxHeight={320}>
      <Table verticalSpacing={5} horizontalSpacing={8} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('books.what')}</Table.Th>
            <Table.Th ta="right">{t('books.expected')}</Table.Th>
            <Table.Th ta="right">{t('books.found')}</Table.Th>
            <Table.Th>{t('books.first')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.map((one, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <Table.Tr key={index}>
              <Table.Td>
                {one.account === null ? one.about || t(`books.rule.${one.rule}`) : t(`account.${one.account}`)}
                {one.owner !== null && ` · ${one.owner.name}`}
                <Text fz={12.5} c="dimmed">
                  {t(`books.rule.${one.rule}`)}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{amount(one.expected, one.currency)}</Table.Td>
              <Table.Td ta="right">{amount(one.found, one.currency)}</Table.Td>
              <Table.Td>
                {one.transfer === null
                  ? t('books.noTransfer')
                  : `#${one.transfer.id} · ${t(`event.${one.transfer.event}` as 'event.payout', { defaultValue: one.transfer.event })} · ${exactTime(one.transfer.at, zone)}`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}

function NoteDialog({ seen, onClose }: { seen: string; onClose: () => void }) {
  const { t } = useTranslation('ledger')
  const form = useSaveForm({
    endpoint: ledgerApi.noteBooks,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ body: { seen, reason } }),
    invalidate: [ledgerApi.books],
    savedText: t('books.notedToast'),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('books.doNote')} text={t('books.noteText')} action={t('books.doNote')} danger careful onClose={onClose}>
      <LongTextField of={form} name="reason" label={t('books.reason')} required />
    </DialogForm>
  )
}
