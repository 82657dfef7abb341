import { Button, Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { useSave } from '#web/api/query.ts'
import { day, integer } from '#web/format.ts'
import { SHOW_BATCH, zoneText } from '#web/features/money/reconciliation/reconciliation-words.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { useCan } from '#web/shell/access.ts'

const OFFSETS = Array.from({ length: 27 * 4 + 1 }, (_none, index) => -13 * 60 + index * 15)

/** What the clock of a report was found to be, for somebody to confirm; another one has it matched again. */
export function ZonePanel({ batch }: { batch: Reconciliation }) {
  const { t } = useTranslation('reconciliation')
  const can = useCan()
  const { uuid, revision, zone, offset, zone_confirmed } = batch
  const jumps = zone?.jumps ?? []
  const used = offset ?? zone?.offset ?? 0
  const [chosen, choose] = useState(String(used))
  const save = useSave(reconciliationApi.zone, { invalidate: SHOW_BATCH })
  if (zone === null || (zone.pairs === 0 && zone_confirmed)) return null
  // a clock that jumps is followed day by day
  const kept = jumps.length > 0 && Number(chosen) === used ? offset : Number(chosen)
  return (
    <Panel title={t('zone')}>
      <Text fz={14}>
        {zone.offset === null
          ? t('zone.unknown', { pairs: integer(zone.pairs) })
          : t('zone.found', { zone: zoneText(zone.offset), agreeing: integer(zone.agreeing), pairs: integer(zone.pairs) })}
      </Text>
      {jumps.map((jump) => (
        <Text key={jump.day} fz={14}>
          {t('zone.jump', { day: day(jump.day), from: zoneText(jump.from), to: zoneText(jump.to) })}
        </Text>
      ))}
      {can('billing.write') && (
        <Group align="flex-end">
          <Select
            label={t('zone.clock')}
            data={OFFSETS.map((value) => ({ value: String(value), label: zoneText(value) }))}
            searchable
            allowDeselect={false}
            w={160}
            value={chosen}
            onChange={(value) => choose(value ?? '0')}
          />
          {(!zone_confirmed || Number(chosen) !== used) && (
            <Button loading={save.isPending} onClick={() => save.mutate({ params: { uuid }, body: { revision, offset: kept } })}>
              {Number(chosen) === used ? t('zone.confirm') : t('zone.matchAnew')}
            </Button>
          )}
          {zone_confirmed && Number(chosen) === used && (
            <Text fz={13} c="dimmed" pb={8}>
              {t('zone.confirmed')}
            </Text>
          )}
        </Group>
      )}
    </Panel>
  )
}
