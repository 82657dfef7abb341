import { Button, Stack, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { ACCOUNT_KINDS, type AccountKind } from '#contract/money/account.ts'
import { paymentSourceApi } from '#contract/money/payout.ts'
import { query } from '#web/api/query.ts'
import { EntryList } from '#web/features/money/ledger/entry-list.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { screenHref } from '#web/shell/access.ts'

type Account = { kind: AccountKind; currency: string; source: string | null }

/** The address names the account that is open: its kind, currency, and whose source it is. */
export function openedBy(said: string): Account | null {
  const [name = '', currency = '', source = null] = said.split('.')
  const kind = ACCOUNT_KINDS.find((one) => one === name)
  return kind === undefined || currency === '' ? null : { kind, currency, source }
}

function withoutAccount(params: URLSearchParams): string {
  const rest = new URLSearchParams([...params].filter(([name]) => name === 'view' || name === 'month'))
  return `${screenHref('billing')}?${rest}`
}

/** The entries of an account of the network, or of a source it pays from. */
export function OpenAccount({ kind, currency, source }: Account) {
  const { t } = useTranslation('ledger')
  const [params] = useSearchParams()
  const sources = useQuery({ ...query(paymentSourceApi.list, {}, { quiet: true }), enabled: source !== null })
  const owner = source === null ? t('network') : (sources.data?.list.find(({ uuid }) => uuid === source)?.name ?? '')
  const title = [t(`account.${kind}`), currency, owner].filter(Boolean).join(' · ')
  return (
    <Stack gap="xs">
      <div>
        <Button
          component={Link}
          to={withoutAccount(params)}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={15} aria-hidden />}
        >
          {t('trial')}
        </Button>
      </div>
      {/* the list says it to who cannot see it */}
      <Text fw={650} fz={17} aria-hidden>
        {title}
      </Text>
      <EntryList of={{ owner: 'network', source }} account={{ kinds: [kind], currency, title }} />
    </Stack>
  )
}
