import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { offerPrivacy, overCapAction, redirectType } from '#contract/offers/offer-fields.ts'
import { useConstants } from '#web/api/constants.ts'
import { CapsEditor } from '#web/features/offers/offer/form/caps-editor.tsx'
import { GoalsEditor } from '#web/features/offers/offer/form/goals-editor.tsx'
import { blankOffer, type OfferValues } from '#web/features/offers/offer/form/offer-values.ts'
import { LandingsEditor, type Proposing } from '#web/features/offers/offer/form/landings-editor.tsx'
import { RulesEditor } from '#web/features/offers/offer/form/rules-editor.tsx'
import { TargetingEditor } from '#web/features/offers/offer/form/targeting-editor.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { MacroField } from '#web/kit/fields/macro/macro-field.tsx'
import { MomentField } from '#web/kit/fields/day/moment-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { RichTextField } from '#web/kit/fields/rich-text/rich-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'

/** The fields of an offer of either type, for creating and editing alike. */
export function OfferForm({
  of,
  advertiser = null,
  id,
  proposing,
  leads,
}: {
  of: SaveForm<OfferValues>
  advertiser?: ReferenceRow | null
  /** Its number, where it is saved already. */
  id?: number
  /** Where the offer is saved already. */
  proposing?: Proposing
  /** Of one of leads: to whom they go, in place of an advertiser. */
  leads?: ReactNode
}) {
  const { t } = useTranslation('offer')
  const { currency, verticals, traffic } = useConstants()
  const [followed, setFollowed] = useState<{ name: string; currency: OfferValues['currency'] }>()
  /** A new offer is in the currency of its advertiser until somebody chooses another. */
  const follow = (chosen: NonNullable<typeof followed>) => {
    const untouched = of.values.currency === (followed ?? blankOffer('', '')).currency
    if (id !== undefined) return
    if (untouched) of.form.setFieldValue('currency', chosen.currency)
    setFollowed(chosen)
  }
  const samples = { offer_name: encodeURIComponent(of.values.title), ...(id !== undefined && { offer_id: String(id) }) }
  return (
    // the keys belong to whichever field has the focus
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div style={{ display: 'contents' }} onKeyDown={keepEnter}>
      <FormSection title={t('section.general')}>
        <TextField of={of} name="title" label={t('title')} required />
        {leads === undefined && (
          <ReferenceField
            of={of}
            name="advertiser_uuid"
            label={t('advertiser')}
            endpoint={advertiserApi.options}
            chosen={advertiser}
            clearable={false}
            onPick={follow}
            required
          />
        )}
        <SelectField of={of} name="vertical" label={t('vertical')} options={verticals} clearable />
        <SelectField
          of={of}
          name="currency"
          label={t('currency')}
          options={currency}
          help={
            leads === undefined
              ? t(of.values.currency === followed?.currency ? 'currencyOf' : 'currencyHelp', { advertiser: followed?.name })
              : t('lead.currencyHelp')
          }
          required
        />
        <MomentField of={of} name="start_at" label={t('startAt')} placeholder={t('atOnce')} help={t('clockHelp')} />
        <MomentField of={of} name="stop_at" label={t('stopAt')} placeholder={t('never')} />
        <MultiSelectField of={of} name="traffic_sources" label={t('trafficSources')} options={traffic} placeholder={t('anySource')} />
        <TagsField of={of} name="tags" label={t('tags')} />
      </FormSection>
      {leads}
      <FormSection title={t('section.destination')} text={t(leads === undefined ? 'section.destinationText' : 'lead.destinationText')}>
        {leads === undefined && (
          <>
            <MacroField
              of={of}
              name="tracking_url"
              place={of.values.app_links ? 'app' : 'offer'}
              samples={samples}
              label={t('trackingUrl')}
              placeholder="https://shop.example/?click={click_id}"
              wide
            />
            <div data-wide>
              <SwitchField of={of} name="app_links" label={t('appLinks')} help={t('appLinksHelp')} />
            </div>
          </>
        )}
        <TextField of={of} name="preview_url" label={t('previewUrl')} type="url" help={t('previewUrlHelp')} />
        <SelectField
          of={of}
          name="redirect_type"
          label={t('redirectType')}
          options={redirectType.options.map((value) => ({ value, label: t(`redirect.${value}`) }))}
        />
        <MacroField
          of={of}
          name="trafficback_url"
          place="trafficback"
          samples={samples}
          label={t('trafficbackUrl')}
          help={t('trafficbackUrlHelp')}
          wide
        />
        {leads === undefined && (
          <TagsField
            of={of}
            name="deep_link_hosts"
            label={t('deepLinkHosts')}
            help={t('deepLinkHostsHelp')}
            placeholder="shop.example"
            wide
          />
        )}
      </FormSection>
      <LandingsEditor of={of} proposing={proposing} leads={leads !== undefined} />
      <GoalsEditor of={of} />
      <RulesEditor of={of} />
      <TargetingEditor of={of} />
      <FormSection title={t('section.limits')} text={t('section.limitsText')}>
        <CapsEditor of={of} />
        <SelectField
          of={of}
          name="over_cap_action"
          label={t('overCap')}
          options={overCapAction.options.map((value) => ({ value, label: t(`overCap.${value}`) }))}
        />
        <ZoneField of={of} name="time_zone" label={t('time_zone')} help={t('timeZoneHelp')} />
        <NumberField of={of} name="hold_days" label={t('hold')} unit={t('days')} help={t('holdHelp')} whole required />
        <NumberField
          of={of}
          name="click_lifetime_days"
          label={t('clickLifetime')}
          unit={t('days')}
          help={t('clickLifetimeHelp')}
          whole
          required
        />
        <NumberField of={of} name="min_conversion_time" label={t('minTime')} unit={t('seconds')} placeholder={t('noLimit')} whole />
        <NumberField of={of} name="max_conversion_time" label={t('maxTime')} unit={t('seconds')} placeholder={t('noLimit')} whole />
      </FormSection>
      <FormSection title={t('section.access')}>
        <SelectField
          of={of}
          name="privacy"
          label={t('privacy')}
          options={offerPrivacy.options.map((value) => ({ value, label: t(`privacy.${value}`) }))}
          help={t(`privacyHelp.${of.values.privacy}`)}
          required
          wide
        />
      </FormSection>
      <FormSection title={t('section.description')} text={t('section.descriptionText')}>
        <RichTextField of={of} name="description" label={t('description')} wide />
        <RichTextField of={of} name="kpi" label={t('kpi')} wide />
      </FormSection>
      <FormSection title={t('section.notes')}>
        <TextField of={of} name="external_id" label={t('externalId')} help={t('externalIdHelp')} />
        <LongTextField of={of} name="notes" label={t('notes')} help={t('notesHelp')} wide />
      </FormSection>
    </div>
  )
}

/** Enter in a field is no wish to save forty others: the bar, Ctrl or ⌘ with S or Enter do. */
function keepEnter(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget, ctrlKey, metaKey } = event
  if (key !== 'Enter' || ctrlKey || metaKey || !(target instanceof HTMLInputElement)) return
  // keys of a dialog over the form arrive here too
  if (currentTarget.contains(target)) event.preventDefault()
}
