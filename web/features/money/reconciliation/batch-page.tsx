import { Alert, Anchor, Button, Group, Loader, Progress, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconArrowLeft, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { CallError } from '#web/api/call-error.ts'
import { invalidate, query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { periodOf } from '#web/invoice/days.ts'
import { ApplyDialog } from '#web/features/money/reconciliation/apply-dialog.tsx'
import { CauseList } from '#web/features/money/reconciliation/cause-list.tsx'
import { GoalPanel } from '#web/features/money/reconciliation/goal-panel.tsx'
import { ReadingForm } from '#web/features/money/reconciliation/reading-form.tsx'
import { BATCH_STATE, SHOW_BATCH } from '#web/features/money/reconciliation/reconciliation-words.ts'
import { RowList } from '#web/features/money/reconciliation/row-list.tsx'
import { Totals } from '#web/features/money/reconciliation/totals.tsx'
import { ZonePanel } from '#web/features/money/reconciliation/zone-panel.tsx'
import { fieldText } from '#web/i18n/language.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

const isWorking = (batch: Reconciliation | undefined) =>
  batch !== undefined && (batch.matching || batch.state === 'applying' || batch.state === 'undoing')

/** One reconciliation: how its report is read, what differs and why, what is done about it, and taking that back. */
export function BatchPage({ uuid, onOpen }: { uuid: string; onOpen: (uuid: string) => void }) {
  const { t } = useTranslation('reconciliation')
  const client = useQueryClient()
  const { close } = usePanelAddress('batch')
  const found = useQuery({
    ...query(reconciliationApi.get, { params: { uuid } }),
    // told every second while a worker is at it
    refetchInterval: ({ state }) => (isWorking(state.data) ? 1000 : false),
  })
  const working = isWorking(found.data)
  useEffect(() => {
    if (!working) void invalidate(client, SHOW_BATCH)
  }, [working, client])
  return (
    <Stack>
      <div>
        <Anchor component="button" type="button" fz={14} onClick={close}>
          <Group gap={6} component="span">
            <IconArrowLeft size={15} aria-hidden /> {t('all')}
          </Group>
        </Anchor>
      </div>
      <QueryPage query={found} failed={t('failed')}>
        {(batch) => <Shown batch={batch} onOpen={onOpen} onClose={close} />}
      </QueryPage>
    </Stack>
  )
}

type ShownProps = { batch: Reconciliation; onOpen: (uuid: string) => void; onClose: () => void }

function Shown({ batch, onOpen, onClose }: ShownProps) {
  const { t } = useTranslation('reconciliation')
  const [anew, setAnew] = useState(false)
  const isCounter = batch.format === 'counter'
  const reads = (batch.state === 'uploaded' && !batch.matching && !isCounter) || anew
  const mayRead = useCan()('billing.write') && batch.state === 'matched' && !isCounter && batch.reading.mapping.goal !== undefined
  const asksZone = batch.zone !== null && batch.state === 'matched'
  const zone = asksZone && !reads && <ZonePanel key={batch.revision} batch={batch} />
  return (
    <>
      {/* what has to be answered before anything can be applied comes first */}
      {!batch.zone_confirmed && zone}
      <Head batch={batch} onOpen={onOpen} onClose={onClose} onAnew={() => setAnew(true)} />
      {batch.problem !== '' && (
        <Alert color="red" variant="light" role="alert">
          {fieldText(batch.problem)}
        </Alert>
      )}
      {batch.matching && (
        <Group role="status">
          <Loader size={18} /> {isCounter ? t('counter.making') : t('matching', { lines: integer(batch.lines) })}
        </Group>
      )}
      {reads && <ReadingForm key={batch.revision} batch={batch} onAsked={() => setAnew(false)} />}
      {!reads && batch.state !== 'uploaded' && (
        <>
          {batch.zone_confirmed && zone}
          {mayRead && <GoalPanel key={`goals ${batch.revision}`} batch={batch} />}
          <CauseList batch={batch} />
          <RowList batch={batch} />
          {batch.advertiser !== null && <Totals batch={batch} />}
        </>
      )}
    </>
  )
}

function Head({ batch, onOpen, onClose, onAnew }: ShownProps & { onAnew: () => void }) {
  const { t } = useTranslation('reconciliation')
  const can = useCan()
  const [applying, setApplying] = useState(false)
  const { uuid, revision, state, states } = batch
  const undo = useSave(reconciliationApi.undo, { invalidate: SHOW_BATCH })
  const remove = useSave(reconciliationApi.remove, {
    invalidate: [reconciliationApi.list],
    onSuccess: () => {
      notify.success(t('removed'))
      onClose()
    },
  })
  const counter = useSave(reconciliationApi.counter, { invalidate: SHOW_BATCH, onSuccess: (made) => onOpen(made.uuid) })
  const acting = batch.causes.reduce((sum, one) => sum + one.acting, 0)
  const done = Object.entries(states).reduce((sum, [one, count]) => sum + (one === 'open' ? 0 : count), 0)
  const toUndo = (states.applied ?? 0) + (states.undone ?? 0) + (states.kept ?? 0)

  const undoIt = async () => {
    const text = t('undo.text', { count: states.applied ?? 0, number: integer(states.applied ?? 0) })
    if (!(await confirm({ title: t('undo.title'), text, action: t('undo'), danger: true }))) return
    try {
      await undo.mutateAsync({ params: { uuid }, body: { revision } })
    } catch (error) {
      // the server said why; what is left is the other way
      if (!(error instanceof CallError) || error.status !== 409) return
      if (await confirm({ title: t('counter.title'), text: t('counter.text'), action: t('counter'), careful: true }))
        counter.mutate({ params: { uuid } })
    }
  }
  const removeIt = async () => {
    if (await confirm({ title: t('remove.title'), text: t('remove.text'), action: t('remove'), danger: true }))
      remove.mutate({ params: { uuid }, body: { revision } })
  }
  const mayWrite = can('billing.write')
  const whyNot = batch.zone_confirmed ? (acting === 0 ? t('apply.nothing') : undefined) : t('apply.zone')
  const mayApply = mayWrite && state === 'matched' && batch.advertiser !== null
  const isOpen = state === 'uploaded' || state === 'matched'
  return (
    <Panel
      title={batch.format === 'counter' ? t('counterOf', { file: batch.file_name }) : batch.file_name || t('noName')}
      actions={
        mayWrite && (
          <Group gap={8}>
            {isOpen && !batch.matching && (
              <Button variant="default" color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void removeIt()}>
                {t('remove')}
              </Button>
            )}
            {state === 'matched' && batch.format !== 'counter' && (
              <Button variant="default" onClick={onAnew}>
                {t('readAnew')}
              </Button>
            )}
            {state === 'applied' && batch.countered_by === null && (states.applied ?? 0) > 0 && (
              <Button
                variant="default"
                loading={undo.isPending || counter.isPending}
                leftSection={<IconArrowBackUp size={16} aria-hidden />}
                onClick={() => void undoIt()}
              >
                {t('undo')}
              </Button>
            )}
            {mayApply && (
              <ReasonButton why={whyNot} onClick={() => setApplying(true)}>
                {t('apply', { count: acting, number: integer(acting) })}
              </ReasonButton>
            )}
          </Group>
        )
      }
    >
      <Facts
        of={[
          [
            t('state'),
            batch.matching ? (
              <StatusBadge key="state" tone="info" label={t('working')} />
            ) : (
              <Status key="state" of={BATCH_STATE} value={state} />
            ),
          ],
          [t('whose'), (batch.advertiser ?? batch.affiliate)?.name],
          ...(batch.period === null
            ? []
            : [[t('period'), periodOf({ period_from: batch.period.from, period_to: batch.period.to })] as const]),
          ...(batch.format === 'counter' ? [] : [[t('lines'), integer(batch.lines)] as const]),
          [
            t('by'),
            <span key="by">
              {batch.by} · <Moment at={batch.created_at} />
            </span>,
          ],
        ]}
      />
      {mayApply && whyNot !== undefined && (
        <Text fz={13} c="var(--ohma-waiting)" mt="xs">
          {whyNot}
        </Text>
      )}
      {batch.affiliate !== null && <Text fz={13}>{t('readOnly')}</Text>}
      {batch.countered_by !== null && (
        <Anchor component="button" type="button" fz={14} onClick={() => onOpen(batch.countered_by ?? '')}>
          {t('toCounter')}
        </Anchor>
      )}
      {batch.counter_of !== null && (
        <Anchor component="button" type="button" fz={14} onClick={() => onOpen(batch.counter_of ?? '')}>
          {t('toEarlier')}
        </Anchor>
      )}
      {(state === 'applying' || state === 'undoing') && (
        <>
          <Text role="status">
            {state === 'applying'
              ? t('applying', { done: integer(done), all: integer(done + (states.open ?? 0)) })
              : t('undoing', { done: integer(toUndo - (states.applied ?? 0)), all: integer(toUndo) })}
          </Text>
          <Progress
            value={state === 'applying' ? share(done, done + (states.open ?? 0)) : share(toUndo - (states.applied ?? 0), toUndo)}
            animated
            aria-label={t('progress')}
          />
          <Text fz={13} c="dimmed">
            {t('mayLeave')}
          </Text>
        </>
      )}
      {applying && <ApplyDialog batch={batch} onClose={() => setApplying(false)} />}
    </Panel>
  )
}

function share(done: number, all: number): number {
  return all === 0 ? 100 : Math.round((done / all) * 100)
}
