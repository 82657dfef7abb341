import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChoiceMenu } from '#web/kit/list/choice-menu.tsx'
import { plainText, wholeText, type Operator } from '#web/kit/list/condition.ts'
import type { ConditionFilter } from '#web/kit/list/filter.ts'
import { FoundMenu } from '#web/kit/list/found-menu.tsx'
import { Pill } from '#web/kit/list/pill.tsx'
import { ReferenceMenu } from '#web/kit/list/reference-menu.tsx'
import { TextsMenu } from '#web/kit/list/texts-menu.tsx'
import { useSummary } from '#web/kit/list/value-names.ts'

type ConditionPillProps = {
  filter: ConditionFilter
  operator: Operator
  /** As the address holds them. */
  values: readonly string[]
  onChange: (operator: Operator, values: string[]) => void
  opened: boolean
  /** What the page knows a value is called. */
  nameOf: (value: string) => string | undefined
}

/** One condition: what is compared, how, and with which values; all three can be changed in its menu. */
export function ConditionPill({ filter, operator, values, onChange, opened, nameOf }: ConditionPillProps) {
  const { t } = useTranslation('kit')
  const [seen, setSeen] = useState<Readonly<Record<string, string>>>({})
  const plain = values.map(plainText)
  const words = useSummary(filter.values, plain, seen, nameOf)
  const state = operator === 'empty' ? (values[0] === '0' ? 'filled' : 'empty') : operator
  const change = (next: readonly string[]) => onChange(operator, next.map(wholeText))
  const ways = [...(['is', 'not'] as const), ...(filter.partly ? (['has'] as const) : []), ...(['empty', 'filled'] as const)]
  const compare = (way: string) => {
    if (way === 'empty' || way === 'filled') onChange('empty', [way === 'empty' ? '1' : '0'])
    else if (way === 'has') onChange('has', [])
    else onChange(way === 'not' ? 'not' : 'is', state === 'is' || state === 'not' ? [...values] : [])
  }
  const active = values.some(Boolean)
  const label = state === 'not' || state === 'has' ? `${filter.label} ${t(`filter.way.${state}`)}` : filter.label
  return (
    <Pill
      label={label}
      summary={active ? (operator === 'empty' ? t(`filter.way.${state}`) : operator === 'has' ? values.join() : words) : undefined}
      opened={opened}
      onClear={() => onChange(operator, [])}
    >
      {(close) => (
        <>
          <NativeSelect
            size="xs"
            aria-label={t('filter.way')}
            data={ways.map((value) => ({ value, label: t(`filter.way.${value}`) }))}
            value={state}
            onChange={(event) => compare(event.currentTarget.value)}
          />
          {operator === 'has' && (
            <PartBox label={filter.label} value={values.join()} onAsk={(part) => onChange('has', part === '' ? [] : [part])} />
          )}
          {(operator === 'is' || operator === 'not') && picker(close)}
        </>
      )}
    </Pill>
  )

  function picker(close: () => void) {
    const { values: source } = filter
    const named = (next: string[], names: Readonly<Record<string, string>>) => {
      setSeen({ ...seen, ...names })
      change(next)
    }
    if (source.kind === 'choice') return <ChoiceMenu filter={source} values={plain} onChange={change} onDone={close} />
    if (source.kind === 'reference') return <ReferenceMenu filter={source} values={plain} onChange={named} onDone={close} />
    if (source.kind === 'texts') return <TextsMenu label={filter.label} values={plain} onChange={change} />
    return (
      <FoundMenu
        label={filter.label}
        source={source}
        free={filter.partly}
        values={plain}
        nameOf={(value) => nameOf(value) ?? seen[value]}
        onChange={named}
        onDone={close}
      />
    )
  }
}

function PartBox({ label, value, onAsk }: { label: string; value: string; onAsk: (part: string) => void }) {
  const { t } = useTranslation('kit')
  const [part, setPart] = useState(value)
  // leaving the box as it was asks for nothing
  const ask = () => part.trim() !== value && onAsk(part.trim())
  return (
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
  )
}
