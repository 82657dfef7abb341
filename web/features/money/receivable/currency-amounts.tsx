import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useConstants } from '#web/api/constants.ts'
import { decimalText } from '#web/kit/fields/decimal.ts'

type CurrencyAmount = { currency: string; amount: string }
type CurrencyAmountsProps = {
  label: string
  help: string
  /** What the button that adds one says. */
  add: string
  list: readonly CurrencyAmount[]
  onChange: (list: CurrencyAmount[]) => void
}

/** An amount for each of some currencies: limits, or minimums. */
export function CurrencyAmounts({ label, help, add, list, onChange }: CurrencyAmountsProps) {
  const { t } = useTranslation('receivable')
  const { currency } = useConstants()
  const free = currency.find(({ value }) => !list.some((one) => one.currency === value))
  const put = (at: number, change: Partial<CurrencyAmount>) =>
    onChange(list.map((one, index) => (index === at ? { ...one, ...change } : one)))
  return (
    <fieldset data-wide style={{ border: 0, padding: 0, margin: 0 }}>
      <legend style={{ fontSize: 14, fontWeight: 500, padding: 0 }}>{label}</legend>
      <p className="ohma-soft" style={{ margin: '2px 0 8px' }}>
        {help}
      </p>
      {list.map((one, at) => (
        <Group key={one.currency} gap={8} mb={8} wrap="nowrap">
          <Select
            aria-label={t('currency', { ns: 'common' })}
            data={currency.filter(({ value }) => value === one.currency || !list.some((other) => other.currency === value))}
            value={one.currency}
            allowDeselect={false}
            w={130}
            onChange={(value) => value !== null && put(at, { currency: value })}
          />
          <TextInput
            aria-label={`${label}, ${one.currency}`}
            inputMode="decimal"
            value={one.amount}
            onChange={(event) => put(at, { amount: event.currentTarget.value })}
            onBlur={() => decimalText(one.amount) !== one.amount && put(at, { amount: decimalText(one.amount) })}
            style={{ flex: 1 }}
          />
          <Button
            variant="subtle"
            color="gray"
            px={8}
            aria-label={`${t('limits.remove', { currency: one.currency })}: ${label}`}
            onClick={() => onChange(list.filter((_other, index) => index !== at))}
          >
            <IconX size={16} aria-hidden />
          </Button>
        </Group>
      ))}
      {free !== undefined && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...list, { currency: free.value, amount: '' }])}
        >
          {add}
        </Button>
      )}
    </fieldset>
  )
}
