import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { query } from '#web/api/query.ts'
import { date, money } from '#web/format.ts'
import { useProposals } from '#web/features/money/invoice/payout/use-proposals.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

/** What of an invoice waits for a second person, with what that one can do; nothing where nothing waits. */
export function ProposalAlert({ invoice }: { invoice: { uuid: string } }) {
  const { t } = useTranslation('request')
  const zone = useZone()
  const { actionsFor, dialog } = useProposals()
  const found = useQuery(
    query(proposalApi.list, { body: { invoice_uuid: invoice.uuid, state: ['open'], direction: 'asc' } }, { quiet: true }),
  )
  const list = found.data?.list ?? []
  if (list.length === 0) return null
  return (
    <Stack gap="xs" mb="md" flex="none">
      {list.map((one) => {
        const words = {
          kind: t(`proposal.kind.${one.kind}`),
          sum: money(one.amount, one.currency),
          by: one.made_by,
          day: date(one.created_at, zone),
          note: one.note,
        }
        return (
          <Alert
            key={one.uuid}
            color="var(--ohma-waiting)"
            icon={<IconUsers size={18} aria-hidden />}
            title={t('proposal.waits', words)}
            data-proposal={one.uuid}
          >
            <Stack gap={8}>
              <Text fz={14}>
                {t('proposal.waitsText', words)} {!one.may.confirm && one.may.refuse && t('proposal.mine')}
              </Text>
              <Group gap={8}>
                {actionsFor(one).map(({ id, label, onClick }) => (
                  <Button key={id} size="compact-sm" variant={id === 'confirm' ? 'filled' : 'default'} onClick={onClick}>
                    {label}
                  </Button>
                ))}
              </Group>
            </Stack>
          </Alert>
        )
      })}
      {dialog}
    </Stack>
  )
}
