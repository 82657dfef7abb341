import { SegmentedControl, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { legalApi, LEGAL_KINDS, legalKind, type LegalKind } from '#contract/network/legal.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query } from '#web/api/query.ts'
import { currentLanguage, LANGUAGES, type Language } from '#web/i18n/language.ts'
import { RichTextField } from '#web/kit/fields/rich-text/rich-text-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { LastChange } from '#web/last-change.tsx'
import { LegalVersions } from './legal-versions.tsx'
import style from './legal-settings.module.css'

/** The three texts in each language: what holds now, the next version with a note, and all earlier ones. */
export function LegalSettings() {
  const { t } = useTranslation('legal')
  const [kind, setKind] = useState<LegalKind>('terms')
  const [language, setLanguage] = useState<Language>(currentLanguage())
  const [dirty, setDirty] = useState(false)
  const found = useQuery(query(legalApi.current, { body: { kind, language } }))
  // another text takes the place of the one being written
  const leave = async (go: () => void) => {
    if (dirty && !(await confirm({ title: t('leave.title'), text: t('leave.text'), action: t('leave.action'), danger: true }))) return
    setDirty(false)
    go()
  }
  return (
    <Stack gap="md">
      <div className={style.choice}>
        <SegmentedControl
          aria-label={t('kind')}
          data={LEGAL_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={kind}
          onChange={(value) => void leave(() => setKind(legalKind.parse(value)))}
          className={style.kinds}
        />
        <Select
          aria-label={t('language')}
          data={[...LANGUAGES]}
          allowDeselect={false}
          value={language}
          onChange={(value) => void leave(() => setLanguage(value === 'uk' ? 'uk' : 'en'))}
        />
      </div>
      <QueryPage query={found} failed={t('failed')}>
        {(current) => <TextForm key={`${kind} ${language}`} kind={kind} language={language} current={current} onDirty={setDirty} />}
      </QueryPage>
      <LegalVersions kind={kind} language={language} />
      <LastChange of={{ kind: 'legal_text', part: `${kind} ${language}` }} title={t(`kind.${kind}`)} />
    </Stack>
  )
}

type TextFormProps = {
  kind: LegalKind
  language: Language
  current: CallOutput<typeof legalApi.current>
  onDirty: (dirty: boolean) => void
}

function TextForm({ kind, language, current, onDirty }: TextFormProps) {
  const { t } = useTranslation('legal')
  const form = useSaveForm({
    endpoint: legalApi.publish,
    record: current,
    valuesOf: ({ html }) => ({ html, note: '' }),
    toInput: (values, { version }) => ({ body: { kind, language, version, ...values } }),
    invalidate: [legalApi.current, legalApi.versions, legalApi.read],
    savedText: t('published'),
  })
  useEffect(() => onDirty(form.dirty), [form.dirty, onDirty])
  return (
    <PageForm of={form} label={t(`kind.${kind}`)} action={t('publish')}>
      <FormSection
        title={current.version === 0 ? t('first') : t('next', { version: current.version + 1 })}
        text={current.version === 0 ? t('firstText') : t('nextText')}
      >
        <RichTextField of={form} name="html" label={t('text')} required wide />
        <TextField of={form} name="note" label={t('note')} help={t('noteHelp')} required wide />
      </FormSection>
    </PageForm>
  )
}
