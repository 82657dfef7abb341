import { Alert, Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reportScheduleApi } from '#contract/traffic/report-schedule.ts'
import { query } from '#web/api/query.ts'
import { ScheduleForm } from '#web/features/traffic/report-schedule/schedule-form.tsx'
import { ScheduleRow } from '#web/features/traffic/report-schedule/schedule-row.tsx'
import type { Scheduled } from '#web/features/traffic/report-schedule/schedule-words.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Modal } from '#web/kit/page/modal.tsx'
import type english from './report-schedule.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    reportSchedule: typeof english
  }
}

/** The own reports that go out by mail, and one more of what the page shows. */
export function ReportSchedules({ of, onClose }: { of: Scheduled; onClose: () => void }) {
  const { t } = useTranslation('reportSchedule')
  const found = useQuery(query(reportScheduleApi.list, {}))
  return (
    <Modal opened onClose={onClose} title={t('title')} centered size={620}>
      {found.data === undefined ? (
        found.error ? (
          <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <Skeleton height={260} />
        )
      ) : (
        <Stack>
          {!found.data.mail && <Alert color="yellow">{t('noMail')}</Alert>}
          <ScheduleForm key={found.data.list.length} of={of} zone={found.data.time_zone} onSaved={() => {}} />
          {found.data.list.length > 0 && (
            <section>
              <Title order={3} fz={15} mb={4}>
                {t('list')}
              </Title>
              <ul>
                {found.data.list.map((schedule) => (
                  <ScheduleRow key={schedule.uuid} schedule={schedule} />
                ))}
              </ul>
            </section>
          )}
        </Stack>
      )}
    </Modal>
  )
}
