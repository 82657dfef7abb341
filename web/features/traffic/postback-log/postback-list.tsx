import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconCheck, IconEye, IconRefresh, IconSend, IconX } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { DELIVERY_STATES, postbackApi } from '#contract/traffic/postback.ts'
import { POSTBACK_OUTCOMES, POSTBACK_REFUSALS } from '#contract/traffic/postback-outcome.ts'
import { call } from '#web/api/call.ts'
import { invalidate, refetchInbox } from '#web/api/query.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { postbackColumns, postbackWords, type Direction, type PostbackRow } from '#web/features/traffic/postback-log/postback-columns.tsx'
import { PostbackDetails } from '#web/features/traffic/postback-log/postback-details.tsx'
import { useReplay } from '#web/features/traffic/postback-log/use-replay.tsx'
import { DAYS, daysToMoments, rawDaysFilter } from '#web/kit/list/days.ts'
import { choiceFilter, referenceFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { notify } from '#web/notify.ts'
import { WayButton } from '#web/shell/way-button.tsx'

const INCOMING_OUTCOMES = POSTBACK_OUTCOMES.flatMap((outcome) => (outcome === 'refused' ? ['needs_mapping' as const, outcome] : [outcome]))

/** What may be applied or sent once more. */
const AGAIN: Record<Direction, readonly string[]> = { in: ['refused', 'unmatched', 'held_for_review'], out: ['sent', 'dead'] }

/** Whether it would change what is paid, and nobody has said anything yet. */
const isHeld = ({ outcome, dismissed }: PostbackRow) => outcome === 'held_for_review' && dismissed === null
const mayAgain = (row: PostbackRow) => AGAIN[row.direction].includes(row.outcome) && (row.outcome !== 'held_for_review' || isHeld(row))

/** Postbacks of one direction: found by outcome and reason, looked at as they came, applied or sent again. */
export function PostbackList({ direction }: { direction: Direction }) {
  const { t } = useTranslation('postbackLog')
  const { t: dimension } = useTranslation('dimension')
  const { t: review } = useTranslation('strayPath')
  const zone = useZone()
  const client = useQueryClient()
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
    await replay(rows.filter(mayAgain).map((row) => row.id))
    list.select(new Set())
    await refetchInbox(client)
  }
  const refuse = async (row: PostbackRow) => {
    try {
      const { changed } = await call(inboxApi.dismiss, { body: { postbacks: [row.id], dismissed: true } })
      if (changed === 0) notify.error(review('review.meanwhile'))
      else notify.success(review('review.refused'))
    } catch {
      // the call has said why
    }
    await Promise.all([invalidate(client, [postbackApi.list]), refetchInbox(client)])
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
          ...(isHeld(row)
            ? [
                { id: 'apply', label: review('review.apply'), icon: <IconCheck size={16} aria-hidden />, onClick: () => void again([row]) },
                { id: 'refuse', label: review('review.refuse'), icon: <IconX size={16} aria-hidden />, onClick: () => void refuse(row) },
              ]
            : []),
          ...(mayAgain(row) && !isHeld(row)
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
