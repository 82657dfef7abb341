import { Anchor, Stack, Text } from '@mantine/core'
import { IconRoadOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Say } from '#web/i18n/use-translation.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { DataTable } from '#web/kit/table/data-table.tsx'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { useViewport } from '#web/viewport.ts'

type StrayPath = CallOutput<typeof postbackApi.strays>['list'][number]

/** How often the tracking domain was called on paths nobody serves: a postback gone astray stands out of what scanners try. */
export function StrayPaths() {
  const { t } = useTranslation('strayPath')
  const mobile = useViewport() === 'mobile'
  const found = useQuery(query(postbackApi.strays, {}))
  const Table = mobile ? TableCards : DataTable
  return (
    <QueryPage query={found} failed={t('strays.failed')}>
      {({ list }) =>
        list.length === 0 ? (
          <EmptyState
            icon={<IconRoadOff size={26} stroke={1.6} aria-hidden />}
            title={t('strays.empty.title')}
            text={t('strays.empty.text')}
          />
        ) : (
          <Stack miw={0}>
            <Text fz={13} c="dimmed">
              {t('strays.text')}
            </Text>
            <Table name="stray-path" label={t('strays')} rows={list} columns={columns(t)} rowKey={({ path }) => path} rowHref={hrefOf} />
          </Stack>
        )
      }
    </QueryPage>
  )
}

function columns(t: Say<'strayPath'>): Column<StrayPath>[] {
  return [
    {
      id: 'path',
      header: t('path'),
      cell: ({ path }) => (path === '' ? t('strays.others') : <span title={path}>{path}</span>),
      width: 320,
      card: 'title',
    },
    { id: 'calls', header: t('strays.calls'), cell: ({ calls }) => integer(calls), numeric: true, card: 'field' },
    { id: 'last_at', header: t('strays.last'), cell: ({ last_at }) => <Moment at={last_at} />, whole: true, card: 'field' },
    {
      id: 'sample',
      header: t('strays.sample'),
      cell: (row) => {
        const href = hrefOf(row)
        return href === undefined ? (
          t('strays.noSample')
        ) : (
          <Anchor component={Link} to={href} fz="inherit">
            {t('strays.show')}
          </Anchor>
        )
      },
      width: 150,
      card: 'field',
    },
  ]
}

/** The calls on a path that were kept. */
function hrefOf({ path, sampled }: StrayPath): string | undefined {
  return sampled ? `?${new URLSearchParams({ path })}` : undefined
}
