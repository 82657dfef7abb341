import { Button, Group, SimpleGrid } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { BROKEN_AFTER } from '#contract/offers/offer-landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { query, useSave } from '#web/api/query.ts'
import type { TestLink } from '#web/features/traffic/test-api/use-test-click.ts'
import { fieldText } from '#web/i18n/language.ts'
import { LinkProblem } from '#web/kit/feedback/link-problem.tsx'
import { LinkFields, type LinkDraft } from '#web/kit/fields/link-fields.tsx'
import { ReferenceSelect } from '#web/kit/fields/reference-select.tsx'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Until } from '#web/kit/show/until.tsx'

/** A test link works for a day. */
const LIFETIME_MS = 24 * 60 * 60 * 1000

/** The first step: whose link, to which offer, and what it carries. */
export function TestLinkForm({ made, onMade }: { made: TestLink | null; onMade: (link: TestLink | null) => void }) {
  const { t } = useTranslation('testApi')
  const [offer, setOffer] = useState<ReferenceRow | null>(null)
  const [affiliate, setAffiliate] = useState<ReferenceRow | null>(null)
  const [draft, setDraft] = useState<LinkDraft>({})
  const whole = useQuery({ ...query(offerApi.get, { params: { uuid: offer?.uuid ?? '' } }, { quiet: true }), enabled: offer !== null })
  const make = useSave(offerApi.testLink, { form: true })
  const errors = make.error?.fields ?? {}
  const landings = (whole.data?.landings ?? []).filter(({ type, status }) => type === 'landing' && status === 'active')
  // whatever is changed makes another link
  const changed = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value)
      make.reset()
      onMade(null)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (offer === null || affiliate === null) return
    const { domain: _domain, deeplink: _deeplink, ...carried } = draft
    const mark = carried.click_id?.trim() || newMark()
    make.mutate(
      { params: { uuid: offer.uuid }, body: { ...carried, click_id: mark, affiliate_uuid: affiliate.uuid } },
      {
        onSuccess: ({ url, expires_at: expiresAt }) =>
          onMade({
            url,
            mark,
            madeAt: Date.parse(expiresAt) - LIFETIME_MS,
            expiresAt,
            offer: offer.uuid,
            title: offer.name,
            affiliate: affiliate.name,
          }),
      },
    )
  }
  return (
    <Panel title={t('link.title')} text={t('link.text')}>
      <form aria-label={t('link.title')} onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <ReferenceSelect
            endpoint={offerApi.options}
            label={t('link.offer')}
            required
            value={offer?.uuid ?? null}
            chosen={offer}
            onChoose={changed((one) => {
              setOffer(one)
              // another offer has other landings
              setDraft({ ...draft, landing: '' })
            })}
          />
          <ReferenceSelect
            endpoint={affiliateApi.list}
            label={t('link.affiliate')}
            required
            value={affiliate?.uuid ?? null}
            chosen={affiliate}
            error={errors['affiliate_uuid'] && fieldText(errors['affiliate_uuid'])}
            onChoose={changed(setAffiliate)}
          />
        </SimpleGrid>
        <LinkFields
          draft={draft}
          onChange={changed(setDraft)}
          offered={{
            landings: landings.map(({ id, name, type, language, preview, failures }) => ({
              id,
              name,
              type,
              language,
              preview,
              preview_url: '',
              broken: failures >= BROKEN_AFTER,
            })),
            deep_link_hosts: [],
            track_domains: [],
          }}
          errors={errors}
        />
        <Group mt="md">
          <Button
            type="submit"
            disabled={offer === null || affiliate === null}
            loading={make.isPending}
            leftSection={<IconLink size={16} aria-hidden />}
          >
            {t('link.make')}
          </Button>
        </Group>
      </form>
      <LinkProblem error={make.error} />
      {made !== null && (
        <div role="status">
          <CopyField label={t('link.made')} text={made.url} />
          <p className="ohma-soft">
            {t('link.until')} <Until at={made.expiresAt} />
          </p>
        </div>
      )}
    </Panel>
  )
}

/** An id no other click carries. */
function newMark(): string {
  return `test-${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
