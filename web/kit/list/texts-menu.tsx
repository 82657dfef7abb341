import { TagsInput } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'

/** Free words, in the menu of a filter. */
export function TextsMenu({ label, values, onChange }: { label: string; values: readonly string[]; onChange: (values: string[]) => void }) {
  const { t } = useTranslation('kit')
  return (
    <TagsInput
      size="xs"
      data-autofocus
      aria-label={label}
      description={t('filter.add')}
      inputWrapperOrder={['input', 'description']}
      value={[...values]}
      onChange={onChange}
      acceptValueOnBlur
    />
  )
}
