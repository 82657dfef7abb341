import { Progress, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { receivable } from '#contract/money/advertiser-billing.ts'
import { integer, money, UNKNOWN } from '#web/format.ts'
import { isNone } from '#web/features/money/receivable/receivable-words.ts'

/** How much of its credit an advertiser has used: a bar, the percentage, and the limit in words. */
export function CreditBar({ of, name }: { of: z.output<typeof receivable>; name: string }) {
  const { t } = useTranslation('receivable')
  const { credit_limit, used_percent, credit, currency } = of
  if (credit_limit === null || used_percent === null) return UNKNOWN
  const limit = isNone(credit_limit) ? t('prepaying') : t('ofLimit', { limit: money(credit_limit, currency) })
  return (
    <span>
      <span style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
        <Progress
          value={Math.min(100, used_percent)}
          aria-label={`${name}: ${t('credit')}`}
          color={credit === 'blocked' ? 'red' : credit === 'near' ? 'orange' : undefined}
          style={{ flex: '0 0 72px' }}
        />
        <span className="ohma-number">{integer(used_percent)} %</span>
      </span>
      <Text component="span" display="block" fz={12.5} c={credit === 'blocked' ? 'var(--ohma-bad)' : 'dimmed'}>
        {limit}
      </Text>
      {credit === 'blocked' && (
        <Text component="span" display="block" fz={12.5} c="var(--ohma-bad)">
          {t('credit.blocked')}
        </Text>
      )}
    </span>
  )
}
