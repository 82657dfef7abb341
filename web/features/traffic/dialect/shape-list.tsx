import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallOutput } from '#contract/endpoint.ts'
import { shapeApi } from '#contract/traffic/shape.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { ShapeMapping } from '#web/features/traffic/dialect/shape-mapping.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type Shape = CallOutput<typeof shapeApi.list>['list'][number]

/** Calls that were not understood, those that look alike together, each group with the way to a mapping. */
export function ShapeList() {
  const { t } = useTranslation('dialect')
  const found = useQuery(query(shapeApi.list, {}))
  const [open, setOpen] = useState<Shape>()
  return (
    <QueryPage query={found} failed={t('shapes.failed')}>
      {({ list }) =>
        list.length === 0 ? (
          <EmptyState
            icon={<IconChecks size={26} stroke={1.6} aria-hidden />}
            title={t('shapes.empty.title')}
            text={t('shapes.empty.text')}
          />
        ) : (
          <Stack component="ul" gap="sm" p={0} m={0} miw={0} style={{ listStyle: 'none' }}>
            {list.map((shape) => (
              <ShapeCard key={`${shape.advertiser.uuid} ${shape.shape}`} shape={shape} onOpen={() => setOpen(shape)} />
            ))}
            {open && <ShapeMapping shape={open} onClose={() => setOpen(undefined)} />}
          </Stack>
        )
      }
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
