import { Button, Collapse, Group, Paper, Select, SimpleGrid, Text, TextInput, Title } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { partnerOfferApi, type linkInput, type partnerOfferDetail } from '#contract/offers/partner-offer.ts'
import { CallError } from '#web/api/call-error.ts'
import { query, useSave } from '#web/api/query.ts'
import { ShortLinks } from '#web/features/offers/partner-offer/short-links.tsx'
import { fieldText } from '#web/i18n/language.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { useRemembered } from '#web/kit/remembered.ts'

type Draft = z.input<typeof linkInput>
type Field = Exclude<keyof Draft, 'domain'>
const NOTHING: Draft = {}

const FIRST: readonly Field[] = ['sub1', 'sub2', 'click_id', 'source']
const MORE: readonly Field[] = ['sub3', 'sub4', 'sub5', 'sub6', 'sub7', 'sub8', 'sub9', 'sub10']

/** The link an affiliate sends visitors to: it changes while one types, the server makes it, and the draft is kept. */
export function LinkBuilder({ offer }: { offer: z.output<typeof partnerOfferDetail> }) {
  const { t } = useTranslation('partnerOffer')
  const [draft = NOTHING, setDraft] = useRemembered(`link.${offer.uuid}`, isDraft)
  const [more, setMore] = useState(false)
  const [settled] = useDebouncedValue(draft, 250)
  const built = useQuery({
    ...query(partnerOfferApi.link, { params: { uuid: offer.uuid }, body: settled }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  const shorten = useSave(partnerOfferApi.createShortLink, { invalidate: [partnerOfferApi.shortLinks] })
  const errors = built.error instanceof CallError ? built.error.fields : {}

  const errorOf = (name: Field) => {
    const error = errors[name]
    return error === undefined ? undefined : fieldText(error)
  }
  const change = (name: Field, value: string) => {
    setDraft({ ...draft, [name]: value })
  }
  // the tracker follows one of the two; a draft that has both keeps both open, so that either can be emptied
  const landed = offer.landings.length > 0 && Boolean(draft.landing) && !draft.deeplink
  const deep = offer.deep_link_hosts.length > 0 && Boolean(draft.deeplink) && !draft.landing
  const field = (name: Field, help?: string, disabled = false) => (
    <TextInput
      key={name}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
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
    <Paper withBorder bg="var(--ohma-surface)" p="lg">
      <Title order={2} size="h4">
        {t('link.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('link.text')}
      </Text>
      <CopyField label={t('link.url')} text={built.data?.url ?? ''} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm" mt="md">
        {FIRST.map((name) => field(name, name === 'click_id' ? t('link.clickIdHelp') : undefined))}
      </SimpleGrid>
      {offer.landings.length > 0 && (
        <Select
          mt="sm"
          label={t('link.landing')}
          description={t(deep ? 'link.notWithDeeplink' : 'link.landingHelp')}
          disabled={deep}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          data={offer.landings.map(({ id, name, type }) => ({ value: String(id), label: `${name} · ${t(`landing.${type}`)}` }))}
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
      {offer.deep_link_hosts.length > 0 && (
        <div style={{ marginTop: 12 }}>
          {field(
            'deeplink',
            landed ? t('link.notWithLanding') : t('link.deeplinkHelp', { hosts: offer.deep_link_hosts.join(', ') }),
            landed,
          )}
        </div>
      )}
      <Group mt="md" gap="sm">
        <Button
          variant="default"
          leftSection={<IconLink size={16} aria-hidden />}
          loading={shorten.isPending}
          onClick={() => shorten.mutate({ params: { uuid: offer.uuid }, body: draft })}
        >
          {t('link.shorten')}
        </Button>
        <Button variant="subtle" onClick={() => setMore(!more)} aria-expanded={more}>
          {t(more ? 'link.less' : 'link.more')}
        </Button>
      </Group>
      <ShortLinks offer={offer.uuid} />
    </Paper>
  )
}

function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string')
}
