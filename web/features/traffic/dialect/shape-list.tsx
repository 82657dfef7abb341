import { Anchor, Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { SHAPE_SENDERS, shapeApi } from '#contract/traffic/shape.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { ShapeMapping } from '#web/features/traffic/dialect/shape-mapping.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type Shape = CallOutput<typeof shapeApi.list>['list'][number]

const PAGE = 20

/** Calls that were not understood, those that look alike together, each group with the way to a mapping. */
export function ShapeList() {
  const { t } = useTranslation('dialect')
  const [sender, setSender] = useState<(typeof SHAPE_SENDERS)[number]>('known')
  const [page, setPage] = useState(1)
  const found = useQuery({ ...query(shapeApi.list, { body: { sender, page, count: PAGE } }), placeholderData: keepPreviousData })
  const [open, setOpen] = useState<Shape>()
  const show = (value: string) => {
    setSender(SHAPE_SENDERS.find((one) => one === value) ?? 'known')
    setPage(1)
  }
  return (
    <QueryPage query={found} failed={t('shapes.failed')}>
      {({ list, senders, summary }) => (
        <Stack miw={0} gap="sm">
          {(senders.unproven > 0 || sender === 'unproven') && (
            <div>
              <SegmentedControl
                aria-label={t('shapes.sender')}
                value={sender}
                onChange={show}
                data={SHAPE_SENDERS.map((value) => ({ value, label: t(`shapes.sender.${value}`, { number: integer(senders[value]) }) }))}
              />
            </div>
          )}
          {sender === 'unproven' && (
            <Text fz={13} c="dimmed">
              {t('shapes.unproven')}
            </Text>
          )}
          {list.length === 0 ? (
            <EmptyState
              icon={<IconChecks size={26} stroke={1.6} aria-hidden />}
              title={t('shapes.empty.title')}
              text={t('shapes.empty.text')}
            />
          ) : (
            <Stack component="ul" gap="sm" p={0} m={0} miw={0} style={{ listStyle: 'none' }} aria-busy={found.isPlaceholderData}>
              {list.map((shape) => (
                <ShapeCard key={`${shape.advertiser.uuid} ${shape.shape}`} shape={shape} onOpen={() => setOpen(shape)} />
              ))}
              {open && <ShapeMapping shape={open} onClose={() => setOpen(undefined)} />}
            </Stack>
          )}
          {summary.rows > PAGE && <Pager rows={summary.rows} page={page} count={PAGE} onPage={setPage} />}
        </Stack>
      )}
    </QueryPage>
  )
}

function ShapeCard({ shape, onOpen }: { shape: Shape; onOpen: () => void }) {
  const { t } = useTranslation('dialect')
  const { t: log } = useTranslation('postbackLog')
  const { advertiser, calls, reasons } = shape
  return (
    <Paper component="li" withBorder p="14px 16px" miw={0}>
      <Stack gap={8}>
        <Group justify="space-between" gap="sm" wrap="nowrap" align="start">
          <div style={{ minWidth: 0 }}>
            <Text fw={600}>
              <Anchor
                component={ScreenLink}
                to="advertiserEdit"
                params={{ uuid: advertiser.uuid }}
                search="?tab=postback"
                c="inherit"
                fw={600}
              >
                {advertiser.name}
              </Anchor>
              {' · '}
              {t('shapes.calls', { count: calls, number: integer(calls) })}
            </Text>
            <Text fz={13} c="dimmed">
              {t('shapes.last')} <Moment at={shape.last_at} />.{' '}
              {reasons.map((reason) => log(`reason.${reason}` as 'reason.click_id_missing', { defaultValue: reason })).join(' ')}
            </Text>
          </div>
          <Button size="compact-md" onClick={onOpen} aria-label={`${t('shapes.map')}: ${advertiser.name}`} style={{ flexShrink: 0 }}>
            {t('shapes.map')}
          </Button>
        </Group>
        <RawText>{shape.body === '' ? shape.call : `${shape.call}\n${shape.body.slice(0, 600)}`}</RawText>
      </Stack>
    </Paper>
  )
}
