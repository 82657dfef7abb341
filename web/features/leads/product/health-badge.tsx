import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ProductHealth } from '#contract/leads/product-health.ts'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'

const TONES: Partial<Record<ProductHealth['state'], Tone>> = { ok: 'good', silent: 'bad', blocked: 'bad', credit_blocked: 'bad' }

/** What the cascade says of a product. */
export function HealthBadge({ of: { state } }: { of: Pick<ProductHealth, 'state'> }) {
  const { t } = useTranslation('product')
  return <StatusBadge tone={TONES[state] ?? 'waiting'} label={t(`health.${state}`)} />
}
