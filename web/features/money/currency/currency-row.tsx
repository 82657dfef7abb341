import { Switch, Table } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CallOutput } from '#contract/endpoint.ts'
import { currencyApi, currencyRateApi } from '#contract/money/currency.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'

type Row = CallOutput<typeof currencyApi.list>['list'][number]

/** A currency with the switch that offers it in pickers; one in use says why it stays. */
export function CurrencyRow({ row }: { row: Row }) {
  const { t, i18n } = useTranslation('currency')
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (active: boolean) => call(currencyApi.setActive, { body: { code: row.code, active } }),
    onSettled: () => invalidate(client, [currencyApi.list, currencyRateApi.list]),
  })
  // Intl names the currencies of ISO 4217 in the reader's language; where it knows none it answers the code
  const named = row.kind === 'iso' ? new Intl.DisplayNames(i18n.language, { type: 'currency' }).of(row.code) : row.code
  return (
    <Table.Tr>
      <Table.Td>{row.code}</Table.Td>
      <Table.Td>
        {named === undefined || named === row.code ? row.name : named}
        {row.kind === 'own' && ` (${t('own')})`}
      </Table.Td>
      <Table.Td ta="end" className="ohma-number">
        {row.decimals}
      </Table.Td>
      <Table.Td>
        <Switch
          aria-label={t('offer', { code: row.code })}
          checked={change.isPending ? change.variables : row.active}
          disabled={change.isPending || (row.active && row.in_use)}
          description={row.active && row.in_use ? t('inUse') : undefined}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      </Table.Td>
    </Table.Tr>
  )
}
