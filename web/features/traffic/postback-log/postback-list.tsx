import { Button } from '@mantine/core'
import { IconEye, IconRefresh, IconSend } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { DELIVERY_STATES, postbackApi } from '#contract/traffic/postback.ts'
import { POSTBACK_OUTCOMES, POSTBACK_REFUSALS } from '#contract/traffic/postback-outcome.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { postbackColumns, postbackWords, type Direction, type PostbackRow } from '#web/features/traffic/postback-log/postback-columns.tsx'
import { PostbackDetails } from '#web/features/traffic/postback-log/postback-details.tsx'
import { useReplay } from '#web/features/traffic/postback-log/use-replay.tsx'
import { DAYS, daysToMoments, rawDaysFilter } from '#web/kit/list/days.ts'
import { choiceFilter, referenceFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { WayButton } from '#web/shell/way-button.tsx'

const INCOMING_OUTCOMES = POSTBACK_OUTCOMES.flatMap((outcome) => (outcome === 'refused' ? ['needs_mapping' as const, outcome] : [outcome]))

/** What may be applied or sent once more. */
const AGAIN: Record<Direction, readonly string[]> = { in: ['refused', 'unmatched'], out: ['sent', 'dead'] }

/** Postbacks of one direction: found by outcome and reason, looked at as they came, applied or sent again. */
export function PostbackList({ direction }: { direction: Direction }) {
  const { t } = useTranslation('postbackLog')
  const { t: dimension } = useTranslation('dimension')
  const zone = useZone()
  const words = postbackWords(t)
  const delivery = useDeliveryWords()
  const [open, setOpen] = useState<PostbackRow>()
  const replay = useReplay(direction)
  const list = useList(postbackApi.list, {
    name: `postback-${direction}`,
    columns: useMemo(() => postbackColumns({ t, dimension, delivery }, direction), [t, dimension, delivery, direction]),
    rowKey: (row) => row.id,
    sort: { column: 'at', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      [DAYS]: rawDaysFilter(t('at')),
      outcome: choiceFilter(
        t('outcome'),
        (direction === 'in' ? INCOMING_OUTCOMES : DELIVERY_STATES).map((value) => ({ value, label: words.outcome(value) })),
      ),
      ...(direction === 'in' && {
        reason: choiceFilter(
          t('reason'),
          Object.keys(POSTBACK_REFUSALS).map((value) => ({ value, label: words.reason(value) })),
        ),
        path: textsFilter(t('path')),
      }),
      offer_uuid: referenceFilter(dimension('offer'), offerApi.options),
      affiliate_uuid: referenceFilter(dimension('affiliate'), affiliateApi.list),
    },
    fixed: { direction },
    toBody: ({ direction: order, ...body }) => daysToMoments({ ...body, ...(order !== undefined && { order }) }, zone),
  })
  const again = async (rows: readonly PostbackRow[]) => {
    await replay(rows.filter((row) => AGAIN[direction].includes(row.outcome)).map((row) => row.id))
    list.select(new Set())
  }
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t(`direction.${direction}`)}
        empty={{
          icon: <IconSend size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t(`empty.${direction}`),
          action: <WayButton to={direction === 'in' ? 'advertisers' : 'affiliates'} label={t(`empty.next.${direction}`)} />,
        }}
        rowHref={undefined}
        rowActions={(row) => [
          { id: 'details', label: t('details'), icon: <IconEye size={16} aria-hidden />, onClick: () => setOpen(row) },
          ...(AGAIN[direction].includes(row.outcome)
            ? [
                {
                  id: 'again',
                  label: t(`again.${direction}`),
                  icon: <IconRefresh size={16} aria-hidden />,
                  onClick: () => void again([row]),
                },
              ]
            : []),
        ]}
        bulkActions={
          <Button size="compact-sm" variant="light" onClick={() => void again(list.chosen())}>
            {t(`again.${direction}`)}
          </Button>
        }
        exportName={`postbacks-${direction}`}
      />
      {open && <PostbackDetails row={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
