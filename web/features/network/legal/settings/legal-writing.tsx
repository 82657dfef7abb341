import { Alert, Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { legalApi, type LegalKind } from '#contract/network/legal.ts'
import { query, useSave } from '#web/api/query.ts'
import type { Language } from '#web/i18n/language.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { RichTextField } from '#web/kit/fields/rich-text/rich-text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'
import { LegalPreview } from './legal-preview.tsx'
import { LegalPublish } from './legal-publish.tsx'

type Written = CallOutput<typeof legalApi.current>
type LegalWritingProps = {
  kind: LegalKind
  language: Language
  current: Written
  onDirty: (dirty: boolean) => void
  /** The text is another one now: the form begins anew with it. */
  onReplaced: () => void
}

/** The next version of a text while it is written: kept as a draft, looked at as guests would read it, published by a word of its own. */
export function LegalWriting({ kind, language, current, onDirty, onReplaced }: LegalWritingProps) {
  const { t } = useTranslation('legalSettings')
  const client = useQueryClient()
  const [open, setOpen] = useState<'preview' | 'publish'>()
  const which = { kind, language }
  const form = useSaveForm({
    endpoint: legalApi.saveDraft,
    record: current,
    valuesOf: ({ html }) => ({ html }),
    toInput: (values, written) => ({ body: { ...which, draft: written.draft.revision, ...values } }),
    invalidate: [],
    savedText: t('saved'),
    onSaved: (written) => keep(written),
  })
  const keep = (written: Written) => client.setQueryData(query(legalApi.current, { body: which }).queryKey, written)
  const replace = (written: Written) => {
    keep(written)
    onReplaced()
  }
  const discard = useSave(legalApi.discardDraft, {
    onSuccess: (written) => {
      notify.success(t('discarded'))
      replace(written)
    },
  })
  useEffect(() => onDirty(form.dirty), [form.dirty, onDirty])
  const { revision, saved_at, saved_by } = current.draft
  const askDiscard = async () => {
    if (revision === null) return
    const sure = { title: t('discardAsk'), text: t('discardText'), action: t('discard'), danger: true }
    if (await confirm(sure)) discard.mutate({ body: { ...which, draft: revision } })
  }
  const publish = { label: t('publish'), onClick: () => setOpen('publish') }
  return (
    <>
      {revision !== null && (
        <Alert color="var(--ohma-waiting)" role="note" title={t('notInForce')}>
          <p>
            {current.version === 0 ? t('waitsFirst') : t('waits', { version: current.version })}{' '}
            <span className="ohma-soft">
              {saved_by === '' ? t('savedAt') : t('savedBy', { name: saved_by })}, <Moment at={saved_at} />
            </span>
          </p>
          <Group gap="xs" mt="sm">
            <Button size="compact-md" variant="default" onClick={() => setOpen('preview')}>
              {t('preview')}
            </Button>
            {!form.dirty && (
              <Button size="compact-md" onClick={publish.onClick}>
                {publish.label}
              </Button>
            )}
            <Button size="compact-md" variant="subtle" color="red" loading={discard.isPending} onClick={() => void askDiscard()}>
              {t('discard')}
            </Button>
          </Group>
        </Alert>
      )}
      <PageForm of={form} label={t(`kind.${kind}`)} action={t('save')} also={publish}>
        <FormSection
          title={current.version === 0 ? t('first') : t('next', { version: current.version + 1 })}
          text={current.version === 0 ? t('firstText') : t('writtenText')}
        >
          <RichTextField of={form} name="html" label={t('text')} required wide />
        </FormSection>
      </PageForm>
      {open === 'preview' && <LegalPreview kind={kind} language={language} html={form.values.html} onClose={() => setOpen(undefined)} />}
      {open === 'publish' && (
        <LegalPublish {...which} current={current} html={form.values.html} onClose={() => setOpen(undefined)} onPublished={replace} />
      )}
    </>
  )
}
