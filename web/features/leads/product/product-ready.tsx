import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Product } from '#contract/leads/product.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'

/** Whether offers may take a product: their system accepted a test by the version it is sent by. */
export function ProductReady({ of: { ready, newest, version_number } }: { of: Product }) {
  const { t } = useTranslation('product')
  return (
    <span>
      <span title={ready ? undefined : t('ready.why')}>
        <StatusBadge tone={ready ? 'good' : 'waiting'} label={t(ready ? 'ready.yes' : 'ready.no')} />
      </span>
      {newest !== null && newest > version_number && <span className="ohma-soft"> {t('newer', { number: newest })}</span>}
    </span>
  )
}
