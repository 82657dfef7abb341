import { Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadListApi, type LeadListItem } from '#contract/leads/lead-list.ts'
import { query } from '#web/api/query.ts'
import { personOf } from '#web/features/leads/lead-list/item-columns.tsx'
import { UNKNOWN } from '#web/format.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type SendsPanelProps = {
  uuid: string
  item: LeadListItem
  among: readonly LeadListItem[]
  onShow: (item: LeadListItem | undefined) => void
}

/** To whom somebody of a list was offered, the latest first. */
export function SendsPanel({ uuid, item, among, onShow }: SendsPanelProps) {
  const { t } = useTranslation('leadList')
  const { t: session } = useTranslation('userSession')
  const found = useQuery(query(leadListApi.sends, { params: { uuid }, body: { item_id: item.id } }, { quiet: true }))
  return (
    <SidePanel
      size={640}
      open={item.id}
      among={among.map(({ id }) => id)}
      onShow={(id) => onShow(among.find((one) => one.id === id))}
      onClose={() => onShow(undefined)}
      title={`${t('history')} · ${personOf(item) || item.id}`}
    >
      <QueryPage query={found} failed={t('history.failed')}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="ohma-soft">{t('history.none')}</p>
          ) : (
            <Stack miw={0}>
              <TableScroll label={t('history')} minWidth={520}>
                <Table verticalSpacing={6}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{session('event.sent')}</Table.Th>
                      <Table.Th>{session('advertiser')}</Table.Th>
                      <Table.Th>{session('product')}</Table.Th>
                      <Table.Th>{session('status')}</Table.Th>
                      <Table.Th>{session('offer')}</Table.Th>
                      <Table.Th>{session('call_status')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {list.map((send) => (
                      <Table.Tr key={send.uuid}>
                        <Table.Td>
                          <Moment at={send.asked_at} />
                        </Table.Td>
                        <Table.Td>{send.advertiser?.name ?? UNKNOWN}</Table.Td>
                        <Table.Td>{send.product?.name ?? UNKNOWN}</Table.Td>
                        <Table.Td>
                          {session(`send.${send.status}` as 'status', { defaultValue: send.status })}{' '}
                          {/* words the file does not know stay as they are */}
                          {send.origin === 'cold' && <span className="ohma-soft"> · {t('history.cold')}</span>}
                        </Table.Td>
                        <Table.Td>{send.offer.name}</Table.Td>
                        <Table.Td>{send.call_status === null ? UNKNOWN : session(`call.${send.call_status}`)}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </TableScroll>
            </Stack>
          )
        }
      </QueryPage>
    </SidePanel>
  )
}
