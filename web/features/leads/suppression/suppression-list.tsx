import { Button } from '@mantine/core'
import { IconFileImport, IconPhoneOff, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import {
  SUPPRESSION_KINDS,
  SUPPRESSION_REASONS,
  SUPPRESSION_SCOPES,
  SUPPRESSION_SOURCES,
  suppressionApi,
  type Suppression,
} from '#contract/leads/suppression.ts'
import { ImportSuppressions } from '#web/features/leads/suppression/import-suppressions.tsx'
import { LiftSuppression } from '#web/features/leads/suppression/lift-suppression.tsx'
import { SuppressContact } from '#web/features/leads/suppression/suppress-contact.tsx'
import { UNKNOWN } from '#web/format.ts'
import { choice, column, moment, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import type english from './suppression.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    suppression: typeof english
  }
}

const COLUMNS: Columns<Suppression, 'suppression'> = [
  text('shown', { sort: true, width: 220, card: 'title' }),
  choice('kind', SUPPRESSION_KINDS, { sort: true, width: 110, card: 'field' }),
  choice('reason', SUPPRESSION_REASONS, { sort: true, width: 150, card: 'field' }),
  column<Suppression, 'advertiser', 'scope'>('advertiser', {
    header: 'scope',
    width: 200,
    card: 'field',
    cell: ({ advertiser, offer }, t) => advertiser?.name ?? offer?.name ?? <span className="ohma-soft">{t('scope.everywhere')}</span>,
    csv: ({ advertiser, offer }) => advertiser?.name ?? offer?.name,
  }),
  choice('source', SUPPRESSION_SOURCES, { width: 160 }),
  text('note', { width: 220 }),
  column<Suppression, 'expires_at'>('expires_at', {
    sort: true,
    width: 130,
    cell: ({ expires_at }, t) => (expires_at === null ? <span className="ohma-soft">{t('forever')}</span> : expires_at.slice(0, 10)),
    csv: ({ expires_at }) => expires_at,
  }),
  column<Suppression, 'by'>('by', { width: 140, cell: ({ by }) => by ?? UNKNOWN, csv: ({ by }) => by }),
  moment('created_at', { sort: true }),
]

/** Whom nobody may offer again: contacts masked, found by the whole of them. */
export function SuppressionList() {
  const { t } = useTranslation('suppression')
  const [open, setOpen] = useState<'add' | 'import'>()
  const [lifted, setLifted] = useState<readonly string[]>()
  const options = <Value extends string>(values: readonly Value[], label: (value: Value) => string) =>
    values.map((value) => ({ value, label: label(value) }))
  const list = useList(suppressionApi.list, {
    name: 'suppression',
    columns: useColumns('suppression', COLUMNS),
    rowKey: ({ uuid }) => uuid,
    sort: { column: 'created_at', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      reason: choiceFilter(
        t('reason'),
        options(SUPPRESSION_REASONS, (one) => t(`reason.${one}`)),
      ),
      scope: choiceFilter(
        t('scope'),
        options(SUPPRESSION_SCOPES, (one) => t(`scope.${one}`)),
      ),
      kind: choiceFilter(
        t('kind'),
        options(SUPPRESSION_KINDS, (one) => t(`kind.${one}`)),
      ),
      source: choiceFilter(
        t('source'),
        options(SUPPRESSION_SOURCES, (one) => t(`source.${one}`)),
      ),
    },
    otherKeys: ['tab'],
  })
  const actions = (
    <>
      <Button variant="default" leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => setOpen('import')}>
        {t('import')}
      </Button>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('add')}>
        {t('add')}
      </Button>
    </>
  )
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t('title')}
        actions={actions}
        empty={{
          icon: <IconPhoneOff size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: actions,
        }}
        rowHref={undefined}
        rowActions={({ uuid }) => [
          { id: 'remove', label: t('remove'), icon: <IconTrash size={16} aria-hidden />, danger: true, onClick: () => setLifted([uuid]) },
        ]}
        bulkActions={
          <Button size="compact-sm" variant="light" color="red" onClick={() => setLifted(list.chosen().map(({ uuid }) => uuid))}>
            {t('remove')}
          </Button>
        }
        exportName="suppression"
      />
      {open === 'add' && <SuppressContact onClose={() => setOpen(undefined)} />}
      {open === 'import' && <ImportSuppressions onClose={() => setOpen(undefined)} />}
      {lifted !== undefined && (
        <LiftSuppression
          uuids={lifted}
          onDone={() => {
            setLifted(undefined)
            list.select(new Set())
          }}
          onClose={() => setLifted(undefined)}
        />
      )}
    </>
  )
}
