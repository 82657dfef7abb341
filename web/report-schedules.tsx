import { Button } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import type { Scheduled } from '#web/features/traffic/report-schedule/schedule-words.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Schedules = lazy(async () => {
  const load = () => Promise.all([import('#web/features/traffic/report-schedule/report-schedules.tsx'), loadLateTexts('reportSchedule')])
  return { default: (await withinChunkTimeout(load))[0].ReportSchedules }
})

/** The button of a report that opens what goes out by mail; the dialog is fetched then. */
export function ScheduleButton({ of }: { of: Scheduled }) {
  const { t } = useTranslation('report')
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconMailForward size={15} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {t('byMail')}
      </Button>
      <Suspense>{opened && <Schedules of={of} onClose={() => setOpened(false)} />}</Suspense>
    </>
  )
}
