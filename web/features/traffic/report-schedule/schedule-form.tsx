import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { reportScheduleApi, SCHEDULE_EVERY, type ReportSchedule } from '#contract/traffic/report-schedule.ts'
import { hourName, weekdayName, type Scheduled } from '#web/features/traffic/report-schedule/schedule-words.ts'
import { ReferencesField } from '#web/kit/fields/references-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useCan } from '#web/shell/access.ts'

const numbers = (from: number, to: number, label: (value: number) => string) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ value: String(from + index), label: label(from + index) }))

/** How often the report of the page goes out from now on, and to whom. */
export function ScheduleForm({ of: { question, address }, zone, onSaved }: { of: Scheduled; zone: string; onSaved: () => void }) {
  const { t } = useTranslation('reportSchedule')
  const staff = useCan()('report.money')
  const form = useSaveForm({
    endpoint: reportScheduleApi.create,
    initial: { name: '', every: 'week' as ReportSchedule['every'], day: '1', hour: '8', recipients: [] as ReferenceRow[] },
    toInput: ({ name, every, day, hour, recipients }) => ({
      body: { name, question, address, every, day: Number(day), hour: Number(hour), recipient_uuids: recipients.map(({ uuid }) => uuid) },
    }),
    invalidate: [reportScheduleApi.list],
    savedText: t('created'),
    onSaved,
  })
  const { every } = form.values
  return (
    <form noValidate onSubmit={form.submit} aria-label={t('title')}>
      <Stack gap="sm">
        <Text fz={14} c="dimmed">
          {t('text', { zone: zone.replaceAll('_', ' ') })} {staff && t('others')}
        </Text>
        <FormProblems of={form} />
        <TextField of={form} name="name" label={t('name')} required />
        <SimpleGrid cols={{ base: 1, xs: every === 'day' ? 2 : 3 }} spacing="sm">
          <SelectField
            of={form}
            name="every"
            label={t('every')}
            options={SCHEDULE_EVERY.map((value) => ({ value, label: t(`every.${value}`) }))}
          />
          {every === 'week' && <SelectField of={form} name="day" label={t('weekday')} options={numbers(1, 7, weekdayName)} />}
          {every === 'month' && (
            <SelectField of={form} name="day" label={t('monthDay')} help={t('monthDayHelp')} options={numbers(1, 31, String)} />
          )}
          <SelectField of={form} name="hour" label={t('hour')} options={numbers(0, 23, hourName)} />
        </SimpleGrid>
        {staff && (
          <ReferencesField
            of={form}
            name="recipients"
            label={t('recipients')}
            help={t('recipientsHelp')}
            endpoint={reportScheduleApi.people}
          />
        )}
        <Group justify="end">
          <Button type="submit" loading={form.saving}>
            {t('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
