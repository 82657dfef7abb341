import { Button } from '@mantine/core'
import { IconMail, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { MAIL_EVENT_NAMES, MAIL_STATUSES, mailApi, type mailRow } from '#contract/network/mail.ts'
import { useSave } from '#web/api/query.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { column, copied, count, moment, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { DAYS, daysToMoments, rawDaysFilter } from '#web/kit/list/days.ts'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { statusLook } from '#web/kit/status/status-look.ts'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { notify } from '#web/notify.ts'

type Mail = z.output<typeof mailRow>

const MAIL_STATUS = statusLook({
  field: 'status',
  texts: 'mail',
  values: MAIL_STATUSES,
  tones: { waiting: 'waiting', sent: 'good', refused: 'bad', failed: 'bad', expired: 'muted' },
})

const MAIL_COLUMNS: Columns<Mail, 'mail'> = [
  moment('created_at', { sort: true, card: 'field' }),
  copied('recipient', { sort: true, width: 220, card: 'title' }),
  column('event', { sort: true, width: 190, card: 'field', cell: (row, t) => t(`event.${row.event}`), csv: (row) => row.event }),
  status(MAIL_STATUS, { sort: true }),
  column('problem', {
    width: 320,
    card: 'field',
    cell: (row, t) =>
      row.reason === null && row.detail === '' ? (
        UNKNOWN
      ) : (
        <span className="ohma-clip" title={row.detail}>
          {row.reason === null ? row.detail : `${t(`problem.${row.reason}`)} ${row.detail}`}
        </span>
      ),
    csv: (row) => [row.reason, row.detail].filter(Boolean).join(': '),
  }),
  count('attempts', { sort: true }),
  moment('next_at'),
  moment('settled_at', { sort: true, hidden: true }),
  text('subject', { hidden: true, width: 260 }),
]

/** What was mailed in 90 days: found by whom and what, and sent once more where it did not go. */
export function MailList() {
  const { t } = useTranslation('mail')
  const zone = useZone()
  const retry = useSave(mailApi.retry, {
    invalidate: [mailApi.list],
    onSuccess: ({ queued }) =>
      queued === 0 ? notify.error(t('again.none')) : notify.success(t('again.done', { count: queued, number: integer(queued) })),
  })
  const list = useList(mailApi.list, {
    name: 'mail',
    columns: useColumns('mail', MAIL_COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    live: true,
    filters: {
      search: searchFilter(t('search')),
      [DAYS]: rawDaysFilter(t('created_at')),
      status: choiceFilter(t('status'), useStatusOptions(MAIL_STATUS)),
      event: choiceFilter(
        t('event'),
        MAIL_EVENT_NAMES.map((value) => ({ value, label: t(`event.${value}`) })),
      ),
    },
    toBody: (body) => daysToMoments(body, zone),
  })
  const again = (rows: readonly Mail[]) => {
    retry.mutate({ body: { uuids: rows.slice(0, 100).map(({ uuid }) => uuid) } })
    list.select(new Set())
  }
  return (
    <ListPage
      inner
      list={list}
      title={t('tab.log')}
      empty={{ icon: <IconMail size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text') }}
      rowHref={undefined}
      rowActions={(row) =>
        row.again ? [{ id: 'again', label: t('again'), icon: <IconRefresh size={16} aria-hidden />, onClick: () => again([row]) }] : []
      }
      bulkActions={
        <Button size="compact-sm" variant="light" onClick={() => again(list.chosen())}>
          {t('again')}
        </Button>
      }
      exportName="mail"
    />
  )
}
