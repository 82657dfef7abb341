import { ActionIcon, Badge, Group, Switch, Table, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { currencyApi, currencyRateApi } from '#contract/money/currency.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'

type Row = CallOutput<typeof currencyApi.list>['list'][number]

/** A currency with the switch that offers it in pickers; one in use says so and stays. An own one can be edited. */
export function CurrencyRow({ row, onEdit }: { row: Row; onEdit: () => void }) {
  const { t, i18n } = useTranslation('currency')
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (active: boolean) => call(currencyApi.setActive, { body: { code: row.code, active } }),
    onSettled: () => invalidate(client, [currencyApi.list, currencyRateApi.list]),
  })
  // Intl names the currencies of ISO 4217 in the reader's language; where it knows none it answers the code
  const named = row.kind === 'iso' ? new Intl.DisplayNames(i18n.language, { type: 'currency' }).of(row.code) : row.code
  return (
    <Table.Tr h={44}>
      <Table.Td>{row.code}</Table.Td>
      <Table.Td>
        <Group gap="xs">
          {named === undefined || named === row.code ? row.name : named}
          {row.sign !== '' && <Text c="dimmed">{row.sign}</Text>}
          {row.kind === 'own' && (
            <>
              <Badge variant="default" tt="none" fw={500}>
                {t('own')}
              </Badge>
              <ActionIcon variant="subtle" color="gray" aria-label={t('edit', { code: row.code })} onClick={onEdit}>
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
            </>
          )}
        </Group>
      </Table.Td>
      <Table.Td ta="end" visibleFrom="sm" className="ohma-number">
        {row.decimals}
      </Table.Td>
      <Table.Td>
        {row.active && row.in_use ? (
          <Text size="sm" c="dimmed">
            {t('inUse')}
          </Text>
        ) : (
          <Switch
            aria-label={t('offer', { code: row.code })}
            checked={change.isPending ? change.variables : row.active}
            disabled={change.isPending}
            withThumbIndicator={false}
            onChange={(event) => change.mutate(event.currentTarget.checked)}
          />
        )}
      </Table.Td>
    </Table.Tr>
  )
}
