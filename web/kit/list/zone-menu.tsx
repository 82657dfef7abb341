import { Select } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useConstants } from '#web/api/constants.ts'

type ZoneMenuProps = {
  /** The zone asked for; null = the person's own. */
  value: string | null
  own: string
  onChange: (zone: string | null) => void
}

/** Whose days and hours are meant, found by city or offset. */
export function ZoneMenu({ value, own, onChange }: ZoneMenuProps) {
  const { t } = useTranslation('kit')
  const { time_zones: zones } = useConstants()
  const shown = value ?? own
  const options = useMemo(() => {
    const known = zones.map((zone) => ({ ...zone, label: zone.label.replaceAll('_', ' ') }))
    return known.some((zone) => zone.value === shown) ? known : [{ value: shown, label: shown.replaceAll('_', ' ') }, ...known]
  }, [zones, shown])
  return (
    <Select
      size="xs"
      w={160}
      aria-label={t('zone')}
      leftSection={<IconWorld size={14} aria-hidden />}
      data={options}
      searchable
      limit={80}
      maxDropdownHeight={280}
      comboboxProps={{ width: 280, position: 'bottom-start' }}
      allowDeselect={false}
      value={shown}
      onChange={(zone) => onChange(zone === own ? null : zone)}
    />
  )
}
