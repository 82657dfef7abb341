import { Button, Group } from '@mantine/core'
import { IconFileImport, IconPlus, IconShieldX, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { BLACKLIST_KINDS, blacklistApi, type BlacklistEntry } from '#contract/leads/blacklist.ts'
import { useSave } from '#web/api/query.ts'
import { AddEntry } from '#web/features/leads/blacklist/add-entry.tsx'
import { ImportFile } from '#web/features/leads/blacklist/import-file.tsx'
import { integer, UNKNOWN } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { choice, column, moment, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { notify } from '#web/notify.ts'
import type english from './blacklist.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    blacklist: typeof english
  }
}

const COLUMNS: Columns<BlacklistEntry, 'blacklist'> = [
  text('shown', { sort: true, width: 230, card: 'title' }),
  choice('kind', BLACKLIST_KINDS, { sort: true, width: 130, card: 'field' }),
  text('note', { width: 240, card: 'field' }),
  column<BlacklistEntry, 'expires_at'>('expires_at', {
    sort: true,
    width: 160,
    cell: ({ expires_at }, t) => (expires_at === null ? <span className="ohma-soft">{t('forever')}</span> : expires_at.slice(0, 10)),
    csv: ({ expires_at }) => expires_at,
  }),
  column<BlacklistEntry, 'file'>('file', {
    width: 180,
    cell: ({ file }) => file ?? UNKNOWN,
    csv: ({ file }) => file,
  }),
  column<BlacklistEntry, 'by'>('by', { width: 140, cell: ({ by }) => by ?? UNKNOWN, csv: ({ by }) => by }),
  moment('created_at', { sort: true }),
]

/** By whom and what leads are refused: contacts and names masked, found by the whole of them. */
export function BlacklistList() {
  const { t } = useTranslation('blacklist')
  const [open, setOpen] = useState<'add' | 'import'>()
  const remove = useSave(blacklistApi.remove, {
    invalidate: [blacklistApi.list],
    onSuccess: ({ changed }) => notify.success(t('removed', { count: changed, number: integer(changed) })),
  })
  const list = useList(blacklistApi.list, {
    name: 'blacklist',
    columns: useColumns('blacklist', COLUMNS),
    rowKey: ({ uuid }) => uuid,
    sort: { column: 'created_at', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      kind: choiceFilter(
        t('kind'),
        BLACKLIST_KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
      ),
    },
    otherKeys: ['tab'],
  })
  const ask = async (uuids: readonly string[]) => {
    const question = { title: t('remove.title', { count: uuids.length }), text: t('remove.text'), action: t('remove'), danger: true }
    if (!(await confirm(question))) return false
    remove.mutate({ body: { uuids: [...uuids] } })
    return true
  }
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
          icon: <IconShieldX size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: <Group justify="center">{actions}</Group>,
        }}
        rowHref={undefined}
        rowActions={({ uuid }) => [
          { id: 'remove', label: t('remove'), icon: <IconTrash size={16} aria-hidden />, danger: true, onClick: () => void ask([uuid]) },
        ]}
        bulkActions={
          <Button
            size="compact-sm"
            variant="light"
            color="red"
            onClick={() =>
              void ask(list.chosen().map(({ uuid }) => uuid)).then((done) => {
                if (done) list.select(new Set())
              })
            }
          >
            {t('remove')}
          </Button>
        }
        exportName="blacklist"
      />
      {open === 'add' && <AddEntry onClose={() => setOpen(undefined)} />}
      {open === 'import' && <ImportFile onClose={() => setOpen(undefined)} />}
    </>
  )
}
