import type { Terms } from '#contract/money/terms.ts'

/** Terms as the form holds them. */
export type TermsValues = {
  schedule: Terms['schedule'] | null
  net: Terms['net'] | null
  makes: Terms['makes'] | null
  hold_days: string
  minimums: { currency: string | null; amount: string }[]
}

export function termsValues({ schedule, net, makes, hold_days, minimums }: Terms): TermsValues {
  return { schedule, net, makes, hold_days: String(hold_days), minimums: minimums.map((one) => ({ ...one })) }
}

export function termsBody({ schedule, net, makes, hold_days, minimums }: TermsValues): Terms {
  return {
    schedule: schedule ?? 'monthly',
    net: net ?? '15',
    makes: makes ?? 'propose',
    hold_days: Number(hold_days || '0'),
    minimums: minimums.map(({ currency, amount }) => ({ currency: currency ?? '', amount })),
  }
}
