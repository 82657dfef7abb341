import { Box, Button, Table } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { currencyApi } from '#contract/money/currency.ts'
import { query } from '#web/api/query.ts'
import { CurrencyCreate } from '#web/features/money/currency/currency-create.tsx'
import { CurrencyEdit } from '#web/features/money/currency/currency-edit.tsx'
import { CurrencyRow } from '#web/features/money/currency/currency-row.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { SearchBox } from '#web/kit/list/search-box.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Panel } from '#web/kit/page/panel.tsx'

/** That of the form beneath. */
const FORM_WIDTH = 1080

/** The currencies that can be chosen and the network's own; a search finds all of ISO 4217. */
export function CurrencyList() {
  const { t } = useTranslation('currency')
  const found = useQuery(query(currencyApi.list, {}))
  const [search, setSearch] = useState('')
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<string>()
  const wanted = search.toLowerCase()
  return (
    <QueryPage query={found} failed={t('failed')}>
      {({ list }) => {
        const shown = list.filter(({ code, name, active, kind }) =>
          wanted === '' ? active || kind === 'own' : `${code} ${name}`.toLowerCase().includes(wanted),
        )
        const edited = list.find(({ code }) => code === editing)
        return (
          <>
            <Box maw={FORM_WIDTH}>
              <Panel
                title={t('title')}
                text={t('text')}
                actions={
                  <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
                    {t('add')}
                  </Button>
                }
              >
                <SearchBox label={t('search')} value={search} onSearch={setSearch} />
                {shown.length === 0 ? (
                  <EmptyState title={t('empty')} text={t('emptyText')} />
                ) : (
                  <Table layout="fixed" aria-label={t('title')}>
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th w={{ base: 62, sm: 96 }}>{t('code')}</Table.Th>
                        <Table.Th>{t('name')}</Table.Th>
                        <Table.Th w={150} ta="end" visibleFrom="sm">
                          {t('decimals')}
                        </Table.Th>
                        <Table.Th w={{ base: 108, sm: 150 }}>{t('active')}</Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {shown.map((row) => (
                        <CurrencyRow key={row.code} row={row} onEdit={() => setEditing(row.code)} />
                      ))}
                    </Table.Tbody>
                  </Table>
                )}
              </Panel>
            </Box>
            {adding && <CurrencyCreate onClose={() => setAdding(false)} />}
            {edited && <CurrencyEdit currency={edited} onClose={() => setEditing(undefined)} />}
          </>
        )
      }}
    </QueryPage>
  )
}
