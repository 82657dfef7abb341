import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A range of days, in the menu of a filter; the browser's own date boxes are quick to type into and speak every language. */
export function DaysMenu({ values, onChange }: { values: readonly string[]; onChange: (values: string[]) => void }) {
  const { t } = useTranslation('kit')
  const [from = '', to = ''] = values
  return (
    <>
      <TextInput
        size="xs"
        type="date"
        data-autofocus
        label={t('filter.from')}
        max={to || undefined}
        value={from}
        onChange={(event) => onChange([event.currentTarget.value, to])}
      />
      <TextInput
        size="xs"
        type="date"
        label={t('filter.to')}
        min={from || undefined}
        value={to}
        onChange={(event) => onChange([from, event.currentTarget.value])}
      />
    </>
  )
}
