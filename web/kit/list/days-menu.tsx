import { useTranslation } from '#web/i18n/use-translation.ts'
import { DayInput } from '#web/kit/fields/day/day-input.tsx'

/** A range of days, in the menu of a filter; either end may be left open. */
export function DaysMenu({ values, onChange }: { values: readonly string[]; onChange: (values: string[]) => void }) {
  const { t } = useTranslation('kit')
  const [from = '', to = ''] = values
  // a click in a calendar is none outside of the menu
  const shared = { size: 'xs', popoverProps: { withinPortal: false } } as const
  return (
    <div ref={takeFocus} style={{ display: 'contents' }}>
      <DayInput
        {...shared}
        data-autofocus
        label={t('filter.from')}
        maxDate={to || undefined}
        value={from || null}
        onChange={(next) => onChange([next ?? '', to])}
      />
      <DayInput
        {...shared}
        label={t('filter.to')}
        minDate={from || undefined}
        value={to || null}
        onChange={(next) => onChange([from, next ?? ''])}
      />
    </div>
  )
}

/** Fetched for the first menu that has one, it comes after the focus has been given. The same function each time: called once it is there. */
function takeFocus(node: HTMLElement | null): void {
  node?.querySelector('input')?.focus()
}
