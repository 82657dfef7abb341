import { Button, Group, Select } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { partnerOfferApi, type partnerOfferDetail } from '#contract/offers/partner-offer.ts'
import { CallError } from '#web/api/call-error.ts'
import { query, useSave } from '#web/api/query.ts'
import { TrackerPostback } from '#web/features/offers/partner-offer/tracker-postback.tsx'
import { TRACKER_IDS, TRACKERS, withTracker, type TrackerId } from '#web/features/offers/partner-offer/trackers.ts'
import { ShortLinks } from '#web/features/offers/partner-offer/short-links.tsx'
import { LinkFields, withOfferedDomain, type LinkDraft } from '#web/kit/fields/link-fields.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { LinkProblem } from '#web/kit/feedback/link-problem.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { YourManager } from '#web/your-manager.tsx'
import { useRemembered } from '#web/kit/remembered.ts'

const NOTHING: LinkDraft = {}

/** The link an affiliate sends visitors to: it changes while one types, the server makes it, and the draft is kept. */
export function LinkBuilder({ offer }: { offer: z.output<typeof partnerOfferDetail> }) {
  const { t } = useTranslation('partnerPage')
  const [typed, setDraft] = useRemembered(`link.${offer.uuid}`, isDraft)
  const [tracker, setTracker] = useRemembered('tracker', isTracker)
  // one tracker for all offers: the link of one nobody has filled in begins with its tokens
  const draft = useMemo(
    () => withOfferedDomain(typed ?? withTracker(NOTHING, tracker ?? null), offer.track_domains),
    [typed, tracker, offer.track_domains],
  )
  const choose = (id: TrackerId | undefined) => {
    setTracker(id)
    setDraft(withTracker(draft, id ?? null))
  }
  const [settled] = useDebouncedValue(draft, 250)
  const built = useQuery({
    ...query(partnerOfferApi.link, { params: { uuid: offer.uuid }, body: settled }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  const shorten = useSave(partnerOfferApi.createShortLink, { invalidate: [partnerOfferApi.shortLinks] })
  const errors = built.error instanceof CallError ? built.error.fields : {}
  return (
    <Panel title={t('link.title')} text={t('link.text')}>
      <div>
        <LinkProblem error={built.error} />
        {built.error !== null && <YourManager inside />}
        <CopyField quiet={offer.type === 'api'} label={t('link.url')} text={built.data?.url ?? ''} />
        <Select
          mt="md"
          maw={360}
          label={t('tracker')}
          description={t('tracker.help')}
          allowDeselect={false}
          data={[{ value: '', label: t('tracker.none') }, ...TRACKER_IDS.map((id) => ({ value: id, label: TRACKERS[id].name }))]}
          value={tracker ?? ''}
          onChange={(value) => choose(TRACKER_IDS.find((id) => id === value))}
        />
        <LinkFields draft={draft} onChange={setDraft} offered={offer} errors={errors} />
        <Group mt="md" gap="sm">
          <Button
            variant="default"
            leftSection={<IconLink size={16} aria-hidden />}
            loading={shorten.isPending}
            onClick={() => shorten.mutate({ params: { uuid: offer.uuid }, body: draft })}
          >
            {t('link.shorten')}
          </Button>
        </Group>
        {tracker !== undefined && <TrackerPostback key={tracker} tracker={tracker} />}
        <ShortLinks offer={offer.uuid} />
      </div>
    </Panel>
  )
}

function isTracker(value: unknown): value is TrackerId {
  return TRACKER_IDS.some((id) => id === value)
}

function isDraft(value: unknown): value is LinkDraft {
  return typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string')
}
