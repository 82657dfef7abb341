import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { BLACKLIST_KINDS, blacklistApi, type BlacklistKind } from '#contract/leads/blacklist.ts'
import { call } from '#web/api/call.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { ValueFileDialog } from '#web/import/value-file-dialog.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'

/** Adds what a CSV file holds, and takes it back within a day. */
export function ImportFile({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('blacklist')
  const save = useSave(blacklistApi.import, {
    form: true,
    invalidate: [blacklistApi.list, blacklistApi.imports],
    onSuccess: ({ made }) => notify.success(t('imported', { count: made, number: integer(made) })),
  })
  return (
    <ValueFileDialog
      words={{
        title: t('import.title'),
        text: t('import.text'),
        choose: t('choose'),
        tooLarge: t('tooLarge'),
        unreadable: t('unreadable'),
        refused: t('refused'),
        row: t('row'),
        value: t('value'),
        why: t('why'),
        saveLeft: t('saveLeft'),
        close: t('close'),
        unread: (columns) => t('unread', { columns }),
        kind: (one: BlacklistKind) => t(`kind.${one}`),
        seen: (numbers) => t('seen', numbers),
        rowOf: (line) => t('rowOf', { line }),
        left: (count, number) => t('left', { count, number }),
        action: (number) => t('import.do', { number }),
      }}
      choice={{
        label: t('kind'),
        options: (['by_row', ...BLACKLIST_KINDS] as const).map((value) => ({ value, label: t(`kind.${value}`) })),
        first: 'by_row',
      }}
      look={({ name, bytes }, kind) => call(blacklistApi.preview, { query: { name, kind }, body: bytes }, { form: true })}
      save={({ name, bytes }, kind, done) =>
        save.mutate({ query: { name, kind }, body: bytes }, { onSuccess: ({ refused }) => done(refused) })
      }
      saving={save.isPending}
      leftName="blacklist-errors.csv"
      onClose={onClose}
    >
      <Earlier />
    </ValueFileDialog>
  )
}

/** The files that came before, those of the last day with the way back. */
function Earlier() {
  const { t } = useTranslation('blacklist')
  const { data } = useQuery(query(blacklistApi.imports, {}, { quiet: true }))
  const undo = useSave(blacklistApi.undo, {
    invalidate: [blacklistApi.list, blacklistApi.imports],
    onSuccess: ({ changed }) => notify.success(t('removed', { count: changed, number: integer(changed) })),
  })
  const list = data?.list.slice(0, 5) ?? []
  if (list.length === 0) return null
  return (
    <Stack gap={4}>
      <strong>{t('earlier')}</strong>
      {list.map(({ uuid, file_name, made, removed, created_at, by, undo_until }) => (
        <Group key={uuid} justify="space-between" wrap="nowrap">
          <Text fz={13.5} style={{ overflowWrap: 'anywhere' }}>
            {file_name || t('noName')}{' '}
            <span className="ohma-soft">
              {t(removed === null ? 'earlier.made' : 'earlier.removed', { number: integer(removed ?? made) })} · {by} ·{' '}
              <Moment at={created_at} />
            </span>
          </Text>
          {undo_until !== null && (
            <Button size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.mutate({ body: { uuid } })}>
              {t('takeBack')}
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  )
}
