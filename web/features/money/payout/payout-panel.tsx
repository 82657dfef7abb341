import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { payoutApi, type PayoutFileDetail, type PayoutRow } from '#contract/money/payout.ts'
import { call } from '#web/api/call.ts'
import { query, useSave } from '#web/api/query.ts'
import { day, integer, money } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { download } from '#web/kit/list/export/run-export.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'
import { MarkDialog } from './mark-dialog.tsx'
import { PayoutPayments } from './payout-payments.tsx'
import { FILE_STATE, SHOW_FILES } from './payout-words.ts'
import { ReleaseDialog } from './release-dialog.tsx'
import { ResultDialog } from './result-dialog.tsx'

/** One payout file, over the list: what it pays, who made and released it, and what became of each payment. */
export function PayoutPanel({ among }: { among: readonly string[] }) {
  const { t } = useTranslation('payout')
  const { open, show, close } = usePanelAddress('payout')
  const found = useQuery(query(payoutApi.get, { params: { uuid: open ?? '' } }))
  const title = found.data === undefined ? t('title') : t('fileNo', { id: found.data.id })
  return (
    <SidePanel title={title} size={640} open={open ?? ''} among={among} onShow={show} onClose={close}>
      <QueryPage query={found} failed={t('failed')}>
        {(file) => <Shown file={file} />}
      </QueryPage>
    </SidePanel>
  )
}

function Shown({ file }: { file: PayoutFileDetail }) {
  const { t } = useTranslation('payout')
  const can = useCan()
  const [doing, setDoing] = useState<'release' | 'result' | PayoutRow>()
  const told = (step: 'cancel' | 'recall' | 'arrived') => ({ invalidate: SHOW_FILES, onSuccess: () => notify.success(t(`toast.${step}`)) })
  const cancel = useSave(payoutApi.cancel, told('cancel'))
  const recall = useSave(payoutApi.recall, told('recall'))
  const arrived = useSave(payoutApi.arrived, told('arrived'))
  const of = { params: { uuid: file.uuid } }
  const sum = money(file.amount, file.currency)
  const cancelIt = async () => {
    if (await confirm({ title: t('cancel'), text: t('cancel.text', { sum }), action: t('cancel'), danger: true })) cancel.mutate(of)
  }
  const recallIt = async () => {
    if (await confirm({ title: t('recall'), text: t('recall.text', { sum }), action: t('recall'), danger: true }))
      recall.mutate({ ...of, body: { not_uploaded: true } })
  }
  const allArrived = async () => {
    const text = t('arrived.text', { count: file.sent, number: integer(file.sent), sum: money(file.sent_amount, file.currency) })
    if (await confirm({ title: t('arrived.title'), text, action: t('arrived'), careful: true })) arrived.mutate(of)
  }
  const fetchIt = async () => {
    const bytes = await call(payoutApi.download, of)
    download(file.name ?? 'payout', [new Uint8Array(bytes)], file.format === 'sepa' ? 'application/xml' : 'text/csv')
  }
  return (
    <Stack>
      {can('billing.pay') && (
        <Group gap={8}>
          {file.state === 'draft' && file.payments > 0 && (
            <ReasonButton why={file.may.release ? undefined : t('release.other')} onClick={() => setDoing('release')}>
              {t('release')}
            </ReasonButton>
          )}
          {file.state === 'released' && file.sent > 0 && (
            <>
              <Button onClick={() => setDoing('result')}>{t('result.read')}</Button>
              <Button variant="default" loading={arrived.isPending} onClick={() => void allArrived()}>
                {t('arrived')}
              </Button>
            </>
          )}
          {file.sha256 !== null && file.state !== 'recalled' && (
            <Button variant="default" onClick={() => void fetchIt()}>
              {t('download')}
            </Button>
          )}
          {file.state === 'draft' && (
            <Button variant="default" onClick={() => void cancelIt()}>
              {t('cancel')}
            </Button>
          )}
          {file.state === 'released' && (
            <ReasonButton variant="default" why={file.may.recall ? undefined : t('recall.closed')} onClick={() => void recallIt()}>
              {t('recall')}
            </ReasonButton>
          )}
        </Group>
      )}
      {can('billing.pay') && file.state === 'draft' && !file.may.release && <Text fz={13}>{t('release.other')}</Text>}
      {can('billing.pay') && file.state === 'released' && !file.may.recall && <p className="ohma-soft">{t('recall.closed')}</p>}
      {file.state === 'draft' && file.dropped > 0 && (
        <Alert color="var(--ohma-waiting)" role="status">
          {t('dropped', { count: file.dropped })}
        </Alert>
      )}
      <Facts
        of={[
          [t('state'), <Status key="state" of={FILE_STATE} value={file.state} />],
          [t('amount'), <Money key="amount" amount={file.amount} currency={file.currency} />],
          [t('format'), t(`format.${file.format}`)],
          [t('source'), file.source],
          [t('due_to'), day(file.due_to)],
          [t('execution_day'), day(file.execution_day)],
          [
            t('made_by'),
            <span key="made">
              {file.made_by} · <Moment at={file.created_at} />
            </span>,
          ],
          ...(file.released_at === null
            ? []
            : [
                [
                  t('released_by'),
                  <span key="released">
                    {file.released_by} · <Moment at={file.released_at} />
                  </span>,
                ] as const,
              ]),
          ...(file.ended_at === null
            ? []
            : [
                [
                  t(`ended.${file.state}` as 'ended.cancelled'),
                  <span key="ended">
                    {file.ended_by} · <Moment at={file.ended_at} />
                  </span>,
                ] as const,
              ]),
          ...(file.sha256 === null ? [] : [['SHA-256', <CopyText key="hash" text={file.sha256} />] as const]),
        ]}
      />
      <PayoutPayments file={file} onMark={setDoing} />
      {doing === 'release' && <ReleaseDialog file={file} onClose={() => setDoing(undefined)} />}
      {doing === 'result' && <ResultDialog onClose={() => setDoing(undefined)} />}
      {typeof doing === 'object' && <MarkDialog payout={doing} currency={file.currency} onClose={() => setDoing(undefined)} />}
    </Stack>
  )
}
