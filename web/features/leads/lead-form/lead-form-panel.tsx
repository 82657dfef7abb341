import { Alert, Button, Code, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCopy } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FORM_LANGUAGES, leadFormApi, USUAL_CONSENT, type LeadForm } from '#contract/leads/lead-form.ts'
import { CallError } from '#web/api/call-error.ts'
import { query } from '#web/api/query.ts'
import { currentLanguage, fieldText } from '#web/i18n/language.ts'
import { LinkProblem } from '#web/kit/feedback/link-problem.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { copyAloud } from '#web/kit/show/copy.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { integer } from '#web/format.ts'
import type english from './lead-form.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    leadForm: typeof english
  }
}

type Draft = { landing: string; language: (typeof FORM_LANGUAGES)[number]; thank_you_url: string; consent_text: string }

/** Whose form it is where staff make it; `choose` shows the choice, with what is wrong with it. */
export type FormOwner = { affiliate: string | null; choose: (error: string | undefined) => ReactNode }

/** A form that landings post to us: chosen here, copied into the page. */
export function LeadFormPanel({ offer, owner }: { offer: string; owner?: FormOwner | undefined }) {
  const { t } = useTranslation('leadForm')
  const [draft, setDraft] = useState<Draft>(() => {
    const spoken = currentLanguage() === 'uk' ? 'uk' : 'en'
    return { landing: '', language: spoken, thank_you_url: '', consent_text: USUAL_CONSENT[spoken] }
  })
  const [settled] = useDebouncedValue(draft, 250)
  const params = { uuid: offer }
  const own = useQuery({
    ...query(leadFormApi.own, { params, body: settled }, { quiet: true }),
    enabled: owner === undefined,
    placeholderData: keepPreviousData,
  })
  const theirs = useQuery({
    ...query(leadFormApi.ofAffiliate, { params, body: { ...settled, affiliate_uuid: owner?.affiliate ?? '' } }, { quiet: true }),
    enabled: owner !== undefined && owner.affiliate !== null,
    placeholderData: keepPreviousData,
  })
  const { data, error } = owner === undefined ? own : theirs
  const errors = error instanceof CallError ? error.fields : {}
  const errorOf = (name: string) => (errors[name] === undefined ? undefined : fieldText(errors[name]))
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const asked = owner?.affiliate === null
  return (
    <Panel title={t('title')} text={t('text')}>
      {owner?.choose(asked ? undefined : errorOf('affiliate_uuid'))}
      {!asked && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={t('landing')}
            description={t('landingHelp')}
            data={(data?.landings ?? []).map(({ id, name }) => ({ value: String(id), label: `${name} · ${id}` }))}
            placeholder={t('ownPage')}
            clearable
            error={errorOf('landing')}
            value={draft.landing || null}
            onChange={(landing) => change({ landing: landing ?? '' })}
          />
          <Select
            label={t('language')}
            description={t('languageHelp')}
            allowDeselect={false}
            data={FORM_LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
            value={draft.language}
            onChange={(value) => {
              const next = FORM_LANGUAGES.find((one) => one === value) ?? 'en'
              // a text of one's own stays
              const usual = draft.consent_text === USUAL_CONSENT[draft.language]
              change({ language: next, ...(usual && { consent_text: USUAL_CONSENT[next] }) })
            }}
          />
          <TextInput
            label={t('thanks')}
            description={t('thanksHelp')}
            type="url"
            maxLength={500}
            placeholder="https://shop.example/thanks"
            error={errorOf('thank_you_url')}
            value={draft.thank_you_url}
            onChange={(event) => change({ thank_you_url: event.currentTarget.value })}
          />
          <TextInput
            label={t('consent')}
            description={t('consentHelp')}
            maxLength={500}
            error={errorOf('consent_text')}
            value={draft.consent_text}
            onChange={(event) => change({ consent_text: event.currentTarget.value })}
          />
        </SimpleGrid>
      )}
      {!asked && <LinkProblem error={error} />}
      {!asked && data && error === null && <Snippet of={data} />}
    </Panel>
  )
}

function Snippet({ of: { action, html, fields, click_parameter: parameter, caught } }: { of: LeadForm }) {
  const { t } = useTranslation('leadForm')
  return (
    <Stack gap={10}>
      <Group justify="space-between">
        <h3>{t('snippet')}</h3>
        <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copyAloud(html)}>
          {t('copy')}
        </Button>
      </Group>
      <Code block mah={260} px="sm" bd="1px solid var(--ohma-line)" style={{ overflow: 'auto' }} tabIndex={0} aria-label={t('snippet')}>
        {html}
      </Code>
      <ul className="ohma-soft" style={{ margin: 0, paddingInlineStart: 20 }}>
        <li>{t('asks', { fields: fields.map((name) => t(`field.${name}`)).join(', ') })}</li>
        <li>{t('own')}</li>
        <li>{t('click', { parameter: `?${parameter}={click_id}` })}</li>
        <li>{t('twice')}</li>
      </ul>
      <CopyField quiet label={t('address')} text={action} />
      <p className="ohma-soft">{t('script')}</p>
      {caught > 0 && (
        <Alert color="var(--ohma-waiting)" role="note">
          {t('caught', { count: caught, number: integer(caught) })}
        </Alert>
      )}
    </Stack>
  )
}
