import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { apiOfferApi, type ApiOfferDetail } from '#contract/leads/api-offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { useSave } from '#web/api/query.ts'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import { MomentField } from '#web/kit/fields/day/moment-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { momentAt } from '#web/zone-time.ts'
import { SimulationResult } from './simulation-result.tsx'

type Question = { affiliate_uuid: string | null; geo: string | null; sub1: string; at: string | null }

/** Who would be asked to take a lead, and who is passed over and why. Nothing is stored or sent. */
export function LeadSimulator({ offer }: { offer: ApiOfferDetail }) {
  const { t } = useTranslation('offer')
  const { t: word } = useTranslation('dimension')
  const form = useForm<Question>({ mode: 'controlled', initialValues: { affiliate_uuid: null, geo: null, sub1: '', at: null } })
  const simulate = useSave(apiOfferApi.simulate)
  const labels = useRef(new Map<string, string>())
  const { affiliate_uuid: affiliate, geo, sub1, at } = form.values
  const asked = affiliate !== null && geo !== null
  const ask = () => {
    if (!asked) return
    simulate.mutate({
      params: { uuid: offer.uuid },
      body: { affiliate_uuid: affiliate, geo, sub1: sub1.trim(), ...(at !== null && { at: momentAt(at, offer.time_zone) }) },
    })
  }
  // a question is not an edit: the fields of the kit without the guard against losing it
  const of: SaveForm<Question> = {
    id: 'lead-simulator',
    form,
    values: form.values,
    submit: (event) => {
      event?.preventDefault()
      ask()
    },
    discard: () => form.reset(),
    saving: simulate.isPending,
    dirty: false,
    reload: undefined,
    problems: [],
    labels: labels.current,
  }
  return (
    <PageColumns first="form">
      <Panel title={t('lead.simulator')} text={t('lead.simulatorText')}>
        <form aria-label={t('lead.simulator')} onSubmit={of.submit}>
          <Stack gap={14}>
            <ReferenceField of={of} name="affiliate_uuid" label={t('affiliate')} endpoint={affiliateApi.list} required />
            <CountryField of={of} name="geo" label={word('geo')} required />
            <TextField of={of} name="sub1" label="sub1" />
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
        {simulate.data ? <SimulationResult of={simulate.data} offer={offer} /> : <p className="ohma-soft">{t('lead.simulatorWaiting')}</p>}
      </Panel>
    </PageColumns>
  )
}
