import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { legalApi, type LegalKind } from '#contract/network/legal.ts'
import type { Language } from '#web/i18n/language.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type Written = CallOutput<typeof legalApi.current>
type LegalPublishProps = {
  kind: LegalKind
  language: Language
  current: Written
  /** What stands in the form, saved as a draft or not. */
  html: string
  onClose: () => void
  onPublished: (written: Written) => void
}

/** Publishes what was written as the next version, with a note on what changed; that it cannot be taken back is said before. */
export function LegalPublish({ kind, language, current: { version, draft }, html, onClose, onPublished }: LegalPublishProps) {
  const { t } = useTranslation('legalSettings')
  const form = useSaveForm({
    endpoint: legalApi.publish,
    initial: { note: '' },
    toInput: ({ note }) => ({ body: { kind, language, version, draft: draft.revision, html, note } }),
    invalidate: [legalApi.versions, legalApi.read],
    savedText: t('published'),
    onSaved: (written) => {
      onClose()
      onPublished(written)
    },
  })
  return (
    <DialogForm
      of={form}
      title={t('publishTitle', { version: version + 1 })}
      text={t('publishText')}
      action={t('publishAction')}
      onClose={onClose}
    >
      <TextField of={form} name="note" label={t('note')} help={t('noteHelp')} required />
    </DialogForm>
  )
}
