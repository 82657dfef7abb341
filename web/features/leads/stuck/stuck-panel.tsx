import { Button, Group, Stack } from '@mantine/core'
import { IconRepeat, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { stuckApi, type Stuck } from '#contract/leads/stuck.ts'
import { query } from '#web/api/query.ts'
import { DismissStuck } from '#web/features/leads/stuck/dismiss-stuck.tsx'
import { ReplayStuck } from '#web/features/leads/stuck/replay-stuck.tsx'
import { reasonOf } from '#web/features/leads/stuck/stuck-words.ts'
import { dateTime, integer } from '#web/format.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'

type StuckPanelProps = { uuid: string; among: readonly string[]; onShow: (uuid: string) => void; onClose: () => void }

/** One of them over the list: what was said, why nothing followed, and what a person may do. */
export function StuckPanel({ uuid, among, onShow, onClose }: StuckPanelProps) {
  const { t } = useTranslation('stuck')
  const found = useQuery(query(stuckApi.detail, { params: { uuid } }, { quiet: true }))
  const [doing, setDoing] = useState<'replay' | 'dismiss' | null>(null)
  const done = () => setDoing(null)
  return (
    <SidePanel size={560} open={uuid} among={among} onShow={onShow} onClose={onClose} title={t('one')}>
      <QueryPage query={found} failed={t('failed')}>
        {({ stuck, params }) => (
          <Stack miw={0}>
            <Panel title={reasonOf(stuck.reason, wordsOf(t))} text={t(`about.${stuck.kind}`)}>
              {stuck.state === 'open' && (
                <Group gap="xs">
                  {stuck.reason !== 'too_many' && (
                    <Button size="compact-md" leftSection={<IconRepeat size={16} aria-hidden />} onClick={() => setDoing('replay')}>
                      {t('replay')}
                    </Button>
                  )}
                  <Button
                    size="compact-md"
                    variant="default"
                    leftSection={<IconX size={16} aria-hidden />}
                    onClick={() => setDoing('dismiss')}
                  >
                    {t('dismiss')}
                  </Button>
                </Group>
              )}
              <Known of={stuck} />
            </Panel>
            {params.length > 0 && (
              <Panel title={t('params')} text={t('paramsText')}>
                <RawText>{params.map(({ name, value }) => `${name} = ${value}`).join('\n')}</RawText>
              </Panel>
            )}
            {doing === 'replay' && <ReplayStuck of={stuck} onClose={done} />}
            {doing === 'dismiss' && <DismissStuck of={stuck} onClose={done} />}
          </Stack>
        )}
      </QueryPage>
    </SidePanel>
  )
}

function Known({ of }: { of: Stuck }) {
  const { t } = useTranslation('stuck')
  const zone = useZone()
  const facts: [string, string][] = [
    [t('state'), t(`state.${of.state}`)],
    [t('advertiser'), of.advertiser.name],
    [t('product'), of.product.name],
    [t('lead'), of.lead?.id ?? ''],
    [t('lead_ref'), of.lead_ref],
    [t('raw'), of.raw],
    [t('amount'), of.amount],
    [t('transaction'), of.transaction],
    [
      t('booking'),
      of.goal === ''
        ? ''
        : t('bookingAs', { goal: t(`goal.${of.goal}` as 'goal.paid'), status: t(`status.${of.status}` as 'status.approved') }),
    ], // nothing else is booked
    [t('seen'), integer(of.seen)],
    [t('first_seen_at'), dateTime(of.first_seen_at, zone)],
    [t('last_seen_at'), dateTime(of.last_seen_at, zone)],
    [t('settled_at'), of.settled_at === null ? '' : dateTime(of.settled_at, zone)],
    [t('by'), of.by ?? ''],
    [t('note'), of.note],
  ]
  return <Facts of={facts.filter(([, value]) => value !== '')} />
}
