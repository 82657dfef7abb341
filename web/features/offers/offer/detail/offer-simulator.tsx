import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { targetDevice, type TargetDevice } from '#contract/offers/offer-fields.ts'
import { useSave } from '#web/api/query.ts'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { SimulationResult } from '#web/features/offers/offer/detail/simulation-result.tsx'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { useDimensionOptions } from '#web/features/offers/offer/form/targeting-editor.tsx'
import { ChoiceField } from '#web/kit/fields/choice-field.tsx'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import { MomentField } from '#web/kit/fields/day/moment-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { Option } from '#web/kit/list/filter.ts'
import { simulatedClick } from '#web/simulator-address.ts'
import { clockAt, momentAt } from '#web/zone-time.ts'

type Question = {
  affiliate_uuid: string | null
  geo: string | null
  device: TargetDevice
  os: string | null
  browser: string | null
  language: string | null
  os_version: string
  place: Option | null
  network: Option | null
  /** Number of the landing the link asks for. */
  landing: string | null
  at: string | null
}

const START: Question = {
  affiliate_uuid: null,
  geo: null,
  device: 'mobile',
  os: null,
  browser: null,
  language: null,
  os_version: '',
  place: null,
  network: null,
  landing: null,
  at: null,
}

/** What would happen to a click: who sends it from where, and every check it meets. Nothing is stored. An address that tells of a click is asked about it at once. */
export function OfferSimulator({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const { t: word } = useTranslation('dimension')
  const options = useDimensionOptions()
  const [search] = useSearchParams()
  const told = useRef(simulatedClick(search)).current
  const form = useForm<Question>({ mode: 'controlled', initialValues: told === null ? START : questionOf(told, offer) })
  const simulate = useSave(offerApi.simulate)
  const labels = useRef(new Map<string, string>())
  const { affiliate_uuid: affiliate, geo } = form.values
  const asked = affiliate !== null && geo !== null
  const ask = ({ affiliate_uuid, geo: country, place, network, landing, at, ...of }: Question) => {
    if (affiliate_uuid === null || country === null) return
    simulate.mutate({
      params: { uuid: offer.uuid },
      body: {
        affiliate_uuid,
        geo: country,
        device: of.device,
        os: of.os ?? '',
        browser: of.browser ?? '',
        language: of.language ?? '',
        os_version: of.os_version.trim(),
        place: place?.value ?? '',
        asn: network?.value ?? '',
        landing: landing ?? '',
        ...(at !== null && { at: momentAt(at, offer.time_zone) }),
      },
    })
  }
  useEffect(() => {
    if (told !== null) ask(form.values)
    // the address is read once: what is chosen afterwards is asked about by the button
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  // a question is not an edit: the fields of the kit without the guard against losing it
  const of: SaveForm<Question> = {
    id: 'simulator',
    form,
    values: form.values,
    submit: (event) => {
      event?.preventDefault()
      ask(form.values)
    },
    discard: () => form.reset(),
    saving: simulate.isPending,
    dirty: false,
    reload: undefined,
    problems: [],
    labels: labels.current,
  }
  const landings = offer.landings.filter(({ type }) => type === 'landing').map(({ id, name }) => ({ value: String(id), label: name }))
  const chosen = told && { uuid: told.affiliate, id: Number(told.affiliate_id) || 0, name: told.affiliate_name }
  return (
    <PageColumns first="form">
      <Panel title={t('simulator.title')} text={t(told === null ? 'simulator.text' : 'simulator.again')}>
        <form aria-label={t('simulator.title')} onSubmit={of.submit}>
          <Stack gap={14}>
            <ReferenceField of={of} name="affiliate_uuid" label={t('affiliate')} endpoint={affiliateApi.list} chosen={chosen} required />
            <CountryField of={of} name="geo" label={word('geo')} required />
            <ChoiceField
              of={of}
              name="place"
              label={t('simulator.place')}
              endpoint={offerApi.places}
              only={{ countries: geo === null ? [] : [geo] }}
              placeholder={t('simulator.unknown')}
              help={t('simulator.placeHelp')}
            />
            <SelectField of={of} name="device" label={word('device')} options={options.device} />
            <SelectField of={of} name="os" label={word('os')} options={options.os} placeholder={t('simulator.unknown')} clearable />
            <TextField of={of} name="os_version" label={word('os_version')} placeholder={t('simulator.unknown')} />
            <SelectField
              of={of}
              name="browser"
              label={word('browser')}
              options={options.browser}
              placeholder={t('simulator.unknown')}
              clearable
            />
            <SelectField
              of={of}
              name="language"
              label={word('language')}
              options={options.language}
              placeholder={t('simulator.unknown')}
              clearable
            />
            <ChoiceField of={of} name="network" label={word('network')} endpoint={offerApi.networks} placeholder={t('simulator.unknown')} />
            {landings.length > 0 && (
              <SelectField
                of={of}
                name="landing"
                label={word('landing')}
                options={landings}
                placeholder={t('simulator.anyLanding')}
                clearable
              />
            )}
            <MomentField
              of={of}
              name="at"
              label={t('simulator.at')}
              placeholder={t('simulator.now')}
              help={t('capZone', { zone: offer.time_zone.replaceAll('_', ' ') })}
            />
            <Button type="submit" disabled={!asked} loading={simulate.isPending} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
              {t('simulator.run')}
            </Button>
          </Stack>
        </form>
      </Panel>
      <Panel title={t('simulator.result')}>
        {simulate.data ? <SimulationResult result={simulate.data} offer={offer} /> : <p className="ohma-soft">{t('simulator.waiting')}</p>}
      </Panel>
    </PageColumns>
  )
}

function questionOf(told: NonNullable<ReturnType<typeof simulatedClick>>, { time_zone: zone, landings }: OfferDetail): Question {
  return {
    ...START,
    affiliate_uuid: told.affiliate,
    geo: told.geo || null,
    device: targetDevice.safeParse(told.device).data ?? START.device,
    os: told.os || null,
    browser: told.browser || null,
    language: told.language || null,
    os_version: told.os_version,
    place: told.place === '' ? null : { value: told.place, label: told.place.split('/').slice(1).toReversed().join(', ') },
    network: networkOf(told.network),
    // one that has left the offer cannot be asked for
    landing: landings.some(({ id }) => String(id) === told.landing) ? told.landing : null,
    at: Number.isNaN(Date.parse(told.at)) ? null : clockAt(told.at, zone),
  }
}

/** What clicks call a network, `Google LLC (AS15169)`, as it is chosen: by its number. */
function networkOf(label: string): Option | null {
  const number = /\(AS(\d+)\)$/.exec(label)?.[1]
  return number === undefined ? null : { value: number, label }
}
