import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { domainDetail } from '#contract/network/domain.ts'
import { DomainRecord } from '#web/features/network/domain/domain-record.tsx'

/** The two ways to show that a domain is the network's, each with its record. */
export function Verify({ of: domain }: { of: z.output<typeof domainDetail> }) {
  const { t } = useTranslation('domain')
  return (
    <>
      <p>{t('verify.points', { kind: t(`points.${domain.kind}`) })}</p>
      <DomainRecord of={domain} what="address" />
      <p>{t('verify.record')}</p>
      <DomainRecord of={domain} what="proof" />
    </>
  )
}
