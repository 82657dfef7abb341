import { useTranslation } from '#web/i18n/use-translation.ts'
import { landingApi } from '#contract/offers/landing.ts'
import { landingType } from '#contract/offers/offer-landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { useConstants } from '#web/api/constants.ts'
import type { LandingRow, OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { MacroField } from '#web/kit/fields/macro/macro-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { PictureField } from '#web/kit/fields/picture/picture-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type Values = { name: string; url: string; type: LandingRow['type']; language: string | null; preview: string | null; weight: string }

const BLANK: Values = { name: '', url: '', type: 'landing', language: null, preview: null, weight: '' }

type ProposeLandingProps = {
  /** The saved offer. */
  offer: { uuid: string; title: string }
  /** The weight to begin with. */
  weight: string
  /** The landing as it stands in the offer now, and the version of the offer that made. */
  onMade: (landing: OfferDetail['landings'][number], version: number) => void
  onClose: () => void
}

/** Proposes a landing for an offer: it stands there at once and waits for a decision. */
export function ProposeLanding({ offer, weight: initialWeight, onMade, onClose }: ProposeLandingProps) {
  const { t } = useTranslation('offer')
  const { t: word } = useTranslation('dimension')
  const { languages } = useConstants()
  const form = useSaveForm({
    endpoint: landingApi.propose,
    initial: { ...BLANK, weight: initialWeight },
    toInput: ({ language, weight, ...values }) => ({
      params: { uuid: offer.uuid },
      body: { ...values, language: language ?? '', weight: typedNumber(weight) },
    }),
    invalidate: [offerApi.get, landingApi.list],
    savedText: t('landing.proposed'),
    onSaved: ({ version, ...made }, { name: _name, language, weight, ...values }) => {
      const begun = { status: 'moderation', private: false, failures: 0, reason: '' } as const
      onMade({ ...made, ...values, ...begun, language: language ?? '', weight: typedNumber(weight) }, version)
      onClose()
    },
  })
  return (
    <SideForm of={form} title={t('landing.proposeFor', { name: offer.title })} action={t('landing.propose')} onClose={onClose}>
      <TextField of={form} name="name" label={t('landing.name')} required />
      <MacroField of={form} name="url" place="offer" label={t('landing.url')} required />
      <SelectField
        of={form}
        name="type"
        label={t('landing.type')}
        options={landingType.options.map((value) => ({ value, label: t(`landing.is.${value}`) }))}
      />
      <SelectField of={form} name="language" label={word('language')} options={languages} clearable />
      <NumberField of={form} name="weight" label={t('landing.weight')} help={t('landing.weightHelp')} whole required />
      <PictureField of={form} name="preview" kind="landing" label={t('landing.preview')} />
    </SideForm>
  )
}
