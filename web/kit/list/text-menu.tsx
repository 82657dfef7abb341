import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readTexts, writeTexts } from '#web/kit/list/text-values.ts'
import { TextsMenu } from '#web/kit/list/texts-menu.tsx'

type TextMenuProps = { label: string; values: readonly string[]; onChange: (values: string[]) => void }

/** A text that is one of some, or has a part, in the menu of a filter. */
export function TextMenu({ label, values, onChange }: TextMenuProps) {
  const { t } = useTranslation('kit')
  const { is, contains } = readTexts(values)
  const [way, setWay] = useState<'contains' | 'is'>(is.length > 0 ? 'is' : 'contains')
  const [part, setPart] = useState(contains)
  // leaving the box empty asks for nothing, and takes no whole texts away
  const ask = () => part.trim() !== contains && onChange(writeTexts({ is: [], contains: part.trim() }))
  return (
    <>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={label}
        data={[
          { value: 'contains', label: t('filter.contains') },
          { value: 'is', label: t('filter.is') },
        ]}
        value={way}
        onChange={(next) => setWay(next === 'is' ? 'is' : 'contains')}
      />
      {way === 'is' ? (
        <TextsMenu label={label} values={is} onChange={(next) => onChange(writeTexts({ is: next, contains: '' }))} />
      ) : (
        <TextInput
          size="xs"
          data-autofocus
          aria-label={label}
          description={t('filter.part')}
          inputWrapperOrder={['input', 'description']}
          value={part}
          onChange={(event) => setPart(event.currentTarget.value)}
          onBlur={ask}
          onKeyDown={(event) => event.key === 'Enter' && ask()}
        />
      )}
    </>
  )
}
