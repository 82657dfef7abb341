import { SegmentedControl, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { legalApi, LEGAL_KINDS, legalKind, type LegalKind } from '#contract/network/legal.ts'
import { query } from '#web/api/query.ts'
import { currentLanguage, LANGUAGES, type Language } from '#web/i18n/language.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { LastChange } from '#web/last-change.tsx'
import { LegalVersions } from './legal-versions.tsx'
import { LegalWriting } from './legal-writing.tsx'
import style from './legal-settings.module.css'

/** The three texts in each language: what holds now, the draft of the next version, and all earlier ones. */
export function LegalSettings() {
  const { t } = useTranslation('legalSettings')
  const [kind, setKind] = useState<LegalKind>('terms')
  const [language, setLanguage] = useState<Language>(currentLanguage())
  const [dirty, setDirty] = useState(false)
  const [round, setRound] = useState(0)
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
        {(current) => (
          <LegalWriting
            key={`${kind} ${language} ${round}`}
            kind={kind}
            language={language}
            current={current}
            onDirty={setDirty}
            onReplaced={() => setRound(round + 1)}
          />
        )}
      </QueryPage>
      <LegalVersions kind={kind} language={language} />
      <LastChange of={{ kind: 'legal_text', part: `${kind} ${language}` }} title={t(`kind.${kind}`)} />
    </Stack>
  )
}
