import { Alert, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { useConstants } from '#web/api/constants.ts'
import { invalidate, query } from '#web/api/query.ts'
import { useOfferStatus } from '#web/features/offers/offer/use-offer-status.ts'
import { blankOffer, offerBody } from '#web/features/offers/offer/form/offer-values.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { screenHref } from '#web/shell/access.ts'
import { DoneNote } from './done-note.tsx'
import type { StepProps } from './steps.ts'
import { StepForm, Ways } from './step-form.tsx'

/** What is advertised: made with the usual terms for everybody, then activated. Between the two it is a draft, which waits here. */
export function OfferStep({ there, currency: base, next, back }: StepProps) {
  const { t } = useTranslation('setUp')
  const { currency, partner_settings } = useConstants()
  const stale = [offerApi.list, dashboardApi.firstSteps]
  const move = useOfferStatus()
  const client = useQueryClient()
  const [starting, setStarting] = useState(false)
  // what looks like a mistake is asked about; whoever would rather mend it finds the draft here
  const start = async (uuid: string, title: string) => {
    setStarting(true)
    const active = await move([{ uuid, title }], 'active')
    await invalidate(client, stale)
    setStarting(false)
    if (active) next()
  }
  const form = useSaveForm({
    endpoint: offerApi.create,
    initial: {
      ...blankOffer(partner_settings.time_zone, t('offer.sale')),
      currency: base,
      privacy: 'public' as const,
    },
    toInput: (values) => ({ body: offerBody({ ...values, advertiser_uuid: there.advertiser_uuid }) }),
    invalidate: stale,
    savedText: '',
    onSaved: ({ uuid }, { title }) => void start(uuid, title),
  })
  const { offer_uuid: made } = there
  if (there.steps?.some(({ id, done }) => id === 'offer' && done)) return <DoneNote text={t('offer.there')} next={next} back={back} />
  if (there.advertiser_uuid === null)
    return (
      <>
        <Alert color="var(--ohma-waiting)" role="note">
          {t('offer.noAdvertiser')}
        </Alert>
        <Ways back={back} skip={next} />
      </>
    )
  if (made !== null) return <Draft uuid={made} starting={starting} start={start} next={next} back={back} />
  const unit = form.values.currency
  return (
    <StepForm of={form} label={t('step.offer')} action={t('offer.add')} ways={{ back, skip: next }}>
      <FormSection title={t('offer.what')} text={t('offer.whatText')}>
        <TextField of={form} name="title" label={t('offer.title')} required />
        <SelectField of={form} name="currency" label={t('currency')} options={currency} required />
        <TextField
          of={form}
          name="tracking_url"
          label={t('offer.destination')}
          placeholder="https://shop.example/landing?click={click_id}"
          help={t('offer.destinationHelp')}
          required
          wide
        />
      </FormSection>
      <FormSection title={t('offer.money')} text={t('offer.moneyText')}>
        <NumberField of={form} name="goals.0.rules.0.revenue_fixed" label={t('offer.revenue')} unit={unit} required />
        <NumberField of={form} name="goals.0.rules.0.payout_fixed" label={t('offer.payout')} unit={unit} required />
      </FormSection>
    </StepForm>
  )
}

type DraftProps = Pick<StepProps, 'next' | 'back'> & {
  uuid: string
  starting: boolean
  start: (uuid: string, title: string) => Promise<void>
}

/** An offer that was made and is not active yet, with what stands in its way. */
function Draft({ uuid, starting, start, next, back }: DraftProps) {
  const { t } = useTranslation('setUp')
  const { t: tOffer } = useTranslation('offer')
  const { data: offer } = useQuery(query(offerApi.get, { params: { uuid } }))
  return (
    <>
      <Alert color="var(--ohma-waiting)" role="status" title={t('offer.draft')}>
        <p>{t('offer.draftText')}</p>
        {offer?.doubts.map((one) => (
          <p key={one}>{tOffer(`doubt.${one}`)}</p>
        ))}
        <Link to={screenHref('offerEditDirect', { uuid })}>{t('offer.edit')}</Link>
      </Alert>
      <Ways back={back} skip={next}>
        <Button loading={starting} disabled={offer === undefined} onClick={() => offer && void start(uuid, offer.title)}>
          {t('offer.activate')}
        </Button>
      </Ways>
    </>
  )
}
