import { Button, Collapse, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { affiliateLink, linkInput } from '#contract/offers/link.ts'
import { useConstants } from '#web/api/constants.ts'
import { fieldText } from '#web/i18n/language.ts'

export type LinkDraft = z.input<typeof linkInput>
type Field = Exclude<keyof LinkDraft, 'domain'>

/** A draft without a domain that is no longer offered: it was kept before that domain was burnt, or given to others. */
export function withOfferedDomain(draft: LinkDraft, domains: readonly string[]): LinkDraft {
  return draft.domain && !domains.includes(draft.domain) ? { ...draft, domain: '' } : draft
}

const FIRST: readonly Field[] = ['sub1', 'sub2', 'click_id', 'source']
const MORE: readonly Field[] = ['sub3', 'sub4', 'sub5', 'sub6', 'sub7', 'sub8', 'sub9', 'sub10']

/** What a link may carry, the domain it begins with where there are several, and of landing and deep link the one that is chosen. */
export function LinkFields({
  draft,
  onChange,
  offered: { landings, deep_link_hosts: hosts, track_domains: domains },
  errors,
}: {
  draft: LinkDraft
  onChange: (draft: LinkDraft) => void
  offered: Pick<z.output<typeof affiliateLink>, 'landings' | 'deep_link_hosts' | 'track_domains'>
  errors: Readonly<Record<string, string>>
}) {
  const { t } = useTranslation('kit')
  const [more, setMore] = useState(false)
  // of all of the network's, or of the affiliate's own, the offer says which it may begin with
  const trackDomains = useConstants().track_domains
  const errorOf = (name: Field) => {
    const error = errors[name]
    return error === undefined ? undefined : fieldText(error)
  }
  const change = (name: Field, value: string) => onChange({ ...draft, [name]: value })
  // the tracker follows one of the two; a draft that has both keeps both open, so that either can be emptied
  const landed = landings.length > 0 && Boolean(draft.landing) && !draft.deeplink
  const deep = hosts.length > 0 && Boolean(draft.deeplink) && !draft.landing
  const field = (name: Field, help?: string, disabled = false) => (
    <TextInput
      key={name}
      label={t(`link.${name}` as 'link.sub1', { defaultValue: name })}
      description={help}
      error={errorOf(name)}
      disabled={disabled}
      maxLength={name === 'deeplink' ? 2000 : 255}
      value={draft[name] ?? ''}
      onChange={(event) => change(name, event.currentTarget.value)}
    />
  )
  return (
    <>
      {domains.length > 1 && (
        <Select
          mt="md"
          maw={360}
          label={t('link.domain')}
          description={t('link.domainHelp')}
          allowDeselect={false}
          data={domains.map((host) => trackDomains.find(({ value }) => value === host) ?? { value: host, label: host })}
          error={errors['domain'] && fieldText(errors['domain'])}
          value={draft.domain || (domains[0] ?? null)}
          onChange={(domain) => onChange({ ...draft, domain: domain === domains[0] ? '' : (domain ?? '') })}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm" mt="md">
        {FIRST.map((name) => field(name, name === 'click_id' ? t('link.clickIdHelp') : undefined))}
      </SimpleGrid>
      {landings.length > 0 && (
        <Select
          mt="sm"
          label={t('link.landing')}
          description={t(deep ? 'link.notWithDeeplink' : 'link.landingHelp')}
          disabled={deep}
          data={landings.map(({ id, name, type, broken }) => ({
            value: String(id),
            label: [name, t(`link.type.${type}`), ...(broken ? [t('link.broken')] : [])].join(' · '),
          }))}
          placeholder={t('link.anyLanding')}
          clearable
          error={errorOf('landing')}
          value={draft.landing || null}
          onChange={(landing) => change('landing', landing ?? '')}
        />
      )}
      <Collapse expanded={more}>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm" mt="sm">
          {MORE.map((name) => field(name))}
        </SimpleGrid>
      </Collapse>
      <Button mt="xs" size="compact-sm" variant="subtle" onClick={() => setMore(!more)} aria-expanded={more}>
        {t(more ? 'link.less' : 'link.more')}
      </Button>
      {hosts.length > 0 && (
        <div style={{ marginTop: 12 }}>
          {field('deeplink', landed ? t('link.notWithLanding') : t('link.deeplinkHelp', { hosts: hosts.join(', ') }), landed)}
        </div>
      )}
    </>
  )
}
