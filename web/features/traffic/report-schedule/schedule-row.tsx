import { Group, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reportScheduleApi, type ReportSchedule } from '#contract/traffic/report-schedule.ts'
import { useSave } from '#web/api/query.ts'
import { hourName, weekdayName } from '#web/features/traffic/report-schedule/schedule-words.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import { notify } from '#web/notify.ts'

/** One of them: when it goes out, to whom, what became of it last, and what can be done with it. */
export function ScheduleRow({ schedule }: { schedule: ReportSchedule }) {
  const { t } = useTranslation('reportSchedule')
  const invalidate = [reportScheduleApi.list]
  const pause = useSave(reportScheduleApi.pause, { invalidate })
  const remove = useSave(reportScheduleApi.remove, { invalidate })
  const send = useSave(reportScheduleApi.sendNow, { invalidate, onSuccess: () => notify.success(t('sending')) })
  const { uuid, name, every, day, hour, recipients, paused, last_problem } = schedule
  const on = every === 'week' ? ` · ${weekdayName(day)}` : every === 'month' ? ` · ${day}` : ''
  const problem = last_problem === 'forbidden' || last_problem === 'not_set_up' ? last_problem : last_problem === '' ? null : 'other'
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" py={8} align="start">
        <div style={{ minWidth: 0 }}>
          <Group gap={8}>
            <strong>{name}</strong>
            {paused && <StatusBadge tone="muted" label={t('paused')} />}
          </Group>
          <Text fz={13.5} c="dimmed">
            {t(`every.${every}`)}
            {on} · {hourName(hour)} · {recipients.map((one) => one.name).join(', ')}
          </Text>
          <Text fz={13.5} c="dimmed">
            {!paused && (
              <>
                {t('next')}: <Moment at={schedule.next_at} /> ·{' '}
              </>
            )}
            {t('last')}: {schedule.last_at === null ? t('never') : <Moment at={schedule.last_at} />}
          </Text>
          {problem !== null && (
            <Text fz={13.5} c="var(--ohma-bad)">
              {t(`problem.${problem}`)}
            </Text>
          )}
        </div>
        <RowMenu
          actions={[
            { id: 'send', label: t('sendNow'), icon: <IconSend size={16} aria-hidden />, onClick: () => send.mutate({ params: { uuid } }) },
            {
              id: 'pause',
              label: t(paused ? 'resume' : 'pause'),
              icon: paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />,
              onClick: () => pause.mutate({ params: { uuid }, body: { paused: !paused } }),
            },
            {
              id: 'remove',
              label: t('remove'),
              icon: <IconTrash size={16} aria-hidden />,
              danger: true,
              onClick: () => remove.mutate({ params: { uuid } }),
            },
          ]}
        />
      </Group>
    </li>
  )
}
