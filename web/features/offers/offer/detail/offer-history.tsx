import { Button, Group, Paper, Skeleton } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { offerApi, type offerChange } from '#contract/offers/offer.ts'
import { query, useSave } from '#web/api/query.ts'
import { changeLines } from '#web/features/offers/offer/detail/change-lines.ts'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import { DifferenceList } from '#web/kit/show/difference-list.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'
import classes from '#web/features/offers/offer/detail/offer-history.module.css'

type Change = z.output<typeof offerChange>

/** What was changed, by whom, from what to what; a day long it can be taken back. */
export function OfferHistory({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const [{ page, count }, setPaging] = useState({ page: 1, count: 50 })
  const found = useQuery({
    ...query(offerApi.history, { params: { uuid: offer.uuid }, body: { page, count } }),
    placeholderData: keepPreviousData,
  })
  const undo = useSave(offerApi.undo, {
    invalidate: [offerApi.get, offerApi.list, offerApi.history],
    onSuccess: () => notify.success(t('history.undone')),
  })
  if (found.data === undefined) {
    return found.isError ? (
      <ErrorState what={t('history.failed')} error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <Skeleton height={260} radius="md" />
    )
  }
  if (found.data.list.length === 0) return <EmptyState title={t('history.empty.title')} text={t('history.empty.text')} />
  return (
    <>
      <Paper component="ol" withBorder px="lg">
        {found.data.list.map((change) => (
          <Entry
            key={change.id}
            change={change}
            offer={offer}
            undo={
              offer.editable && change.undoable ? () => undo.mutate({ params: { uuid: offer.uuid }, body: { id: change.id } }) : undefined
            }
            busy={undo.isPending}
          />
        ))}
      </Paper>
      {found.data.summary.rows > count && (
        <Pager
          rows={found.data.summary.rows}
          page={page}
          count={count}
          onPage={(next) => setPaging({ page: next, count })}
          onCount={(next) => setPaging({ page: 1, count: next })}
        />
      )}
    </>
  )
}

type EntryProps = { change: Change; offer: OfferDetail; undo: (() => void) | undefined; busy: boolean }

function Entry({ change, offer, undo, busy }: EntryProps) {
  const { t } = useTranslation('offer')
  const lines = changeLines(t, change, offer)
  return (
    <li className={classes.change}>
      <Group gap="4px 12px" mih={28}>
        <strong>{t([`action.${change.action}`, 'action.other'] as unknown as ['action.other'], { action: change.action })}</strong>
        <span className="ohma-soft">
          {change.actor ?? t('history.system')} · <Moment at={change.at} />
        </span>
        {undo && (
          <Button
            ml="auto"
            size="compact-sm"
            variant="light"
            disabled={busy}
            leftSection={<IconArrowBackUp size={15} aria-hidden />}
            onClick={undo}
          >
            {t('history.undo')}
          </Button>
        )}
      </Group>
      {lines.length > 0 && <DifferenceList lines={lines} words={{ before: t('history.before'), after: t('history.after') }} />}
    </li>
  )
}
