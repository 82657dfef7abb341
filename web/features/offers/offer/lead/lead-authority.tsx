import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconFlask, IconRocket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadAuthorityApi, type Authority, type AuthorityPair } from '#contract/leads/authority.ts'
import type { ApiOfferDetail } from '#contract/leads/api-offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { ReferenceSelect } from '#web/kit/fields/reference-select.tsx'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

/** While what was noted is worked off it is looked again. */
const AGAIN_MS = 3_000

/** Affiliates that are tested on an API offer: until they go live what staff say of their leads counts. */
export function LeadAuthority({ offer }: { offer: ApiOfferDetail }) {
  const { t } = useTranslation('offer')
  const [chosen, setChosen] = useState<ReferenceRow | null>(null)
  const set = useSave(leadAuthorityApi.set, { invalidate: [leadAuthorityApi.list] })
  const found = useQuery({
    ...query(leadAuthorityApi.list, { params: { uuid: offer.uuid }, body: { count: 100 } }),
    refetchInterval: ({ state }) => (state.data?.list.some(({ applying }) => applying) ? AGAIN_MS : false),
  })
  const change = (affiliate_uuid: string, state: Authority) =>
    set.mutate({
      params: { uuid: offer.uuid },
      body: { affiliate_uuid, state, expected: state === 'live' ? 'testing' : 'live' },
    })
  const goLive = async ({ affiliate, noted }: AuthorityPair) => {
    const sure = await confirm({
      title: t('authority.sure', { name: affiliate.name }),
      text: t('authority.sureText', { count: noted }),
      action: t('authority.goLive'),
      careful: true,
    })
    if (sure) change(affiliate.uuid, 'live')
  }
  return (
    <Panel title={t('authority')} text={t('authority.text')}>
      <Group align="flex-end" gap={10}>
        <ReferenceSelect
          endpoint={affiliateApi.list}
          label={t('affiliate')}
          value={chosen?.uuid ?? null}
          chosen={chosen}
          onChoose={setChosen}
          w={280}
        />
        <Button
          variant="default"
          disabled={chosen === null}
          loading={set.isPending}
          leftSection={<IconFlask size={16} aria-hidden />}
          onClick={() => {
            if (chosen === null) return
            change(chosen.uuid, 'testing')
            setChosen(null)
          }}
        >
          {t('authority.begin')}
        </Button>
      </Group>
      <QueryPage query={found} failed={t('authority.failed')}>
        {({ list }) =>
          list.length === 0 ? (
            <Text c="dimmed" fz={14}>
              {t('authority.none')}
            </Text>
          ) : (
            <TableScroll label={t('authority')} minWidth={620}>
              <Table aria-label={t('authority')} verticalSpacing={8}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('affiliate')}</Table.Th>
                    <Table.Th>{t('authority.state')}</Table.Th>
                    <Table.Th>{t('authority.since')}</Table.Th>
                    <Table.Th ta="right">{t('authority.noted')}</Table.Th>
                    <Table.Th />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((pair) => (
                    <Table.Tr key={pair.affiliate.uuid}>
                      <Table.Td>{pair.affiliate.name || t('authority.others', { id: pair.affiliate.id })}</Table.Td>
                      <Table.Td>
                        <StatusBadge tone={pair.state === 'testing' ? 'waiting' : 'good'} label={t(`authority.${pair.state}`)} />
                      </Table.Td>
                      <Table.Td>
                        <Stack gap={0}>
                          <Moment at={pair.changed_at} />
                          <span className="ohma-soft">{pair.changed_by}</span>
                        </Stack>
                      </Table.Td>
                      <Table.Td ta="right" className="ohma-number">
                        {pair.applying ? t('authority.applying') : integer(pair.noted)}
                      </Table.Td>
                      <Table.Td ta="right">
                        {pair.affiliate.name === '' ? null : pair.state === 'testing' ? (
                          <Button
                            size="compact-md"
                            loading={set.isPending}
                            leftSection={<IconRocket size={16} aria-hidden />}
                            onClick={() => void goLive(pair)}
                          >
                            {t('authority.goLive')}
                          </Button>
                        ) : (
                          <Button
                            variant="default"
                            size="compact-md"
                            loading={set.isPending}
                            onClick={() => change(pair.affiliate.uuid, 'testing')}
                          >
                            {t('authority.again')}
                          </Button>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </TableScroll>
          )
        }
      </QueryPage>
    </Panel>
  )
}
