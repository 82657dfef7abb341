import { Alert, Button, Group } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { REFERRAL_DECISIONS, referralApi, type referralRow } from '#contract/people/referral.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { query, useSave } from '#web/api/query.ts'
import { money, UNKNOWN } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { column, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { screenHref, useCan } from '#web/shell/access.ts'
import { monthName } from '#web/month-name.ts'
import { RefuseReferral } from './refuse-referral.tsx'
import { REFERRAL_STATE } from './referral-words.ts'

type Row = z.output<typeof referralRow>

const sums = (list: Row['earned']) => list.map(({ amount, currency }) => money(amount, currency)).join(' · ')

const COLUMNS: Columns<Row, 'referral'> = [
  reference('affiliate', { width: 180, card: 'title' }),
  reference('referrer', { width: 180, card: 'field' }),
  status(REFERRAL_STATE),
  column<Row, 'causes'>('causes', {
    width: 190,
    cell: (row, words) => row.causes.map((cause) => words(`cause.${cause}`)).join(', ') || UNKNOWN,
    csv: (row) => row.causes.join(' '),
  }),
  amounts('earned'),
  amounts('kept'),
  column<Row, 'percent.short'>('percent.short', { numeric: true, cell: (row) => `${Number(row.percent)} %`, csv: (row) => row.percent }),
  column<Row, 'level'>('level', { numeric: true, cell: (row) => row.level, csv: (row) => row.level }),
  column<Row, 'until'>('until', { width: 140, cell: (row) => monthName(row.until), csv: (row) => row.until }),
  moment('created_at', { sort: true }),
  text('code', { width: 130 }),
  text('decided_by', { width: 150 }),
  text('reason', { width: 200 }),
]

/** Who brought whom, and what is kept back because both sides seem to be one. */
export function ReferralList() {
  const { t } = useTranslation('referral')
  const can = useCan()
  const [refused, setRefused] = useState<Row>()
  const waiting = useQuery(query(referralApi.list, { body: { state: ['held'], count: 1 } }, { quiet: true }))
  const release = useSave(referralApi.decide, {
    invalidate: [referralApi.list],
    onSuccess: () => notify.success(t('release.toast')),
  })
  const releaseIt = async (one: Row) => {
    const names = { referrer: one.referrer.name, name: one.affiliate.name, sum: sums(one.kept) || t('release.nothing') }
    if (await confirm({ title: t('release.ask'), text: t('release.text', names), action: t('release'), careful: true }))
      release.mutate({ params: { uuid: one.uuid }, body: { state: 'released', reason: '' } })
  }
  const list = useList(referralApi.list, {
    name: 'referral',
    columns: useColumns('referral', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    otherKeys: ['view'],
    filters: {
      state: choiceFilter(
        t('state'),
        REFERRAL_DECISIONS.map((value) => ({ value, label: t(`state.${value}`) })),
      ),
      referrer_uuid: referenceFilter(t('referrer'), affiliateApi.list),
      affiliate_uuid: referenceFilter(t('affiliate'), affiliateApi.list),
    },
  })
  const actionsFor = (one: Row): RowAction[] =>
    can('billing.approve')
      ? [
          ...(one.state === 'held' || one.state === 'refused'
            ? [{ id: 'release', label: t('release'), icon: <IconCheck size={16} aria-hidden />, onClick: () => void releaseIt(one) }]
            : []),
          ...(one.state === 'refused'
            ? []
            : [{ id: 'refuse', label: t('refuse'), icon: <IconX size={16} aria-hidden />, danger: true, onClick: () => setRefused(one) }]),
        ]
      : []
  const held = waiting.data?.summary.rows ?? 0
  return (
    <>
      {held > 0 && (
        <Alert color="var(--ohma-waiting)" role="note" mb="md" style={{ flexShrink: 0 }}>
          <Group justify="space-between" gap="sm">
            {t('list.held', { count: held })}
            <Button component="a" size="compact-sm" variant="default" href={`${screenHref('billing')}?view=referrals&state=held`}>
              {t('list.show')}
            </Button>
          </Group>
        </Alert>
      )}
      <ListPage
        inner
        list={list}
        title={t('list.title')}
        empty={{ title: t('list.none'), text: t('list.noneText') }}
        rowHref={({ affiliate }) => screenHref('affiliateEdit', { uuid: affiliate.uuid })}
        rowActions={actionsFor}
        exportName="referrals"
      />
      {refused && <RefuseReferral of={refused} onClose={() => setRefused(undefined)} />}
    </>
  )
}

function amounts<Id extends 'earned' | 'kept'>(id: Id) {
  return column<Row, Id>(id, { numeric: true, card: 'field', cell: (row) => sums(row[id]) || UNKNOWN, csv: (row) => sums(row[id]) })
}
