import { useTranslation } from '#web/i18n/use-translation.ts'
import { GIVEN_REASONS, suppressionApi, type SuppressionKind } from '#contract/leads/suppression.ts'
import { call } from '#web/api/call.ts'
import { useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { ValueFileDialog } from '#web/import/value-file-dialog.tsx'
import { notify } from '#web/notify.ts'

/** Suppresses what a CSV file holds, for one reason. */
export function ImportSuppressions({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('suppression')
  const save = useSave(suppressionApi.import, {
    form: true,
    invalidate: [suppressionApi.list],
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
        kind: (one: SuppressionKind) => t(`kind.${one}`),
        seen: (numbers) => t('seen', numbers),
        rowOf: (line) => t('rowOf', { line }),
        left: (count, number) => t('left', { count, number }),
        action: (number) => t('import.do', { number }),
      }}
      choice={{
        label: t('reason'),
        options: GIVEN_REASONS.map((value) => ({ value, label: t(`reason.${value}`) })),
        first: 'dnc',
      }}
      look={({ name, bytes }) => call(suppressionApi.preview, { query: { name }, body: bytes }, { form: true })}
      save={({ name, bytes }, reason, done) =>
        save.mutate({ query: { name, reason }, body: bytes }, { onSuccess: ({ refused }) => done(refused) })
      }
      saving={save.isPending}
      leftName="suppression-errors.csv"
      onClose={onClose}
    />
  )
}
