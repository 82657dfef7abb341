import { Alert } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { query } from '#web/api/query.ts'
import { decimalText } from '#web/kit/fields/decimal.ts'

type Asked = Omit<CallInput<typeof proposalApi.judge>['body'], 'currency'> & { currency: string | null }

/**
 * How a dialog calls what it does, while it is typed: where the server says that it would only be proposed, title and button say so, and
 * `note` who may confirm it. The texts are those of requests.
 */
export function useProposed(asked: Asked, words: { title: string; action: string }): { title: string; action: string; note: ReactNode } {
  const { t } = useTranslation('request')
  const [amount] = useDebouncedValue(decimalText(asked.amount), 250)
  const isAmount = /^-?\d{1,14}(\.\d{1,8})?$/.test(amount) && /[1-9]/.test(amount)
  const { data } = useQuery({
    ...query(proposalApi.judge, { body: { ...asked, amount, currency: asked.currency ?? '' } }, { quiet: true }),
    enabled: isAmount && asked.currency !== null,
    placeholderData: keepPreviousData,
    // what was given meanwhile counts
    staleTime: 0,
  })
  if (!isAmount || data?.proposed !== true) return { ...words, note: null }
  return {
    title: t('propose.title', { what: words.title }),
    action: t('propose'),
    note: (
      <Alert color="var(--ohma-waiting)" icon={<IconUsers size={18} aria-hidden />} role="status">
        {data.who.length === 0 ? t('propose.nobody') : t('propose.text', { who: data.who.join(', ') })}
      </Alert>
    ),
  }
}
