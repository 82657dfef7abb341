import { ActionIcon, Alert, Button, Select } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { landingApi } from '#contract/offers/landing.ts'
import { landingType } from '#contract/offers/offer-landing.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { LandingBadge } from '#web/features/offers/offer/landing-badge.tsx'
import {
  landingNames,
  landingRow,
  withoutLanding,
  type LandingRow,
  type OfferValues,
} from '#web/features/offers/offer/form/offer-values.ts'
import { ProposeLanding } from '#web/features/offers/offer/form/propose-landing.tsx'
import { joiningWeight, sharesOf, shareWords } from '#web/features/offers/offer/landing-share.ts'
import { ruleSentence } from '#web/features/offers/offer/rule-words.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { fieldId, focusField, type SaveForm } from '#web/kit/form/use-save-form.ts'
import { fieldText } from '#web/i18n/language.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

/** A saved offer, where landings may be proposed: its form follows by itself. */
export type Proposing = { offer: { uuid: string; title: string }; onProposed: Parameters<typeof ProposeLanding>[0]['onMade'] }

/** Where visitors of an offer go: landings and pre-landings with their weights. */
export function LandingsEditor({ of, proposing: open, leads }: { of: SaveForm<OfferValues>; proposing?: Proposing; leads: boolean }) {
  const { t } = useTranslation('offer')
  const [proposing, setProposing] = useState(false)
  of.labels.set('landings', t('section.landings'))
  const add = (row: LandingRow) => {
    // a fresh answer may have brought it already
    const { landings } = of.form.getValues()
    if (!landings.some(({ uuid }) => uuid === row.uuid)) of.form.insertListItem('landings', row)
    // what it begins with is a proposal
    requestAnimationFrame(() => focusField(of.id, `landings.${landings.length}.weight`))
  }
  return (
    <FormSection title={t('section.landings')} text={t(leads ? 'section.landingsLeads' : 'section.landingsText')}>
      <div className={classes.rows} data-wide>
        {landingType.options.map((type) => (
          <Rows key={type} of={of} type={type} leads={leads} />
        ))}
        <div className={classes.addLanding}>
          <Add of={of} leads={leads} onAdd={add} />
          {open !== undefined && (
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setProposing(true)}>
              {t('landing.propose')}
            </Button>
          )}
        </div>
      </div>
      {proposing && open !== undefined && (
        <ProposeLanding
          offer={open.offer}
          weight={joiningWeight(of.values.landings, 'landing')}
          onMade={(landing, version) => {
            open.onProposed(landing, version)
            add(landingRow(landing))
          }}
          onClose={() => setProposing(false)}
        />
      )}
    </FormSection>
  )
}

function Rows({ of, type, leads }: { of: SaveForm<OfferValues>; type: LandingRow['type']; leads: boolean }) {
  const { t } = useTranslation('offer')
  const shares = sharesOf(of.values.landings)
  const rows = of.values.landings.flatMap((landing, index) => (landing.type === type ? [{ landing, index }] : []))
  if (rows.length === 0) return null
  const remove = async ({ uuid, name }: LandingRow) => {
    const { goals, removed } = withoutLanding(of.values.goals, uuid)
    if (removed.length > 0) {
      const text = (
        <>
          {t('landing.removeRows', { count: removed.length, number: integer(removed.length) })}
          <ul>
            {removed.map(({ goal, rule }) => (
              <li key={rule.key}>
                {ruleSentence(
                  t,
                  { ...rule, affiliates: rule.affiliate_uuids.map(({ id }) => id), landings: landingNames(of.values, rule) },
                  goal.title || goal.code,
                  of.values.currency,
                )}
              </li>
            ))}
          </ul>
        </>
      )
      if (!(await confirm({ title: t('landing.removeAsk', { name }), text, action: t('landing.removeAction'), danger: true }))) return
    }
    of.form.setFieldValue('goals', goals)
    of.form.setFieldValue(
      'landings',
      of.values.landings.filter((one) => one.uuid !== uuid),
    )
    // rows have moved up: what was said of them would stand at others
    of.form.setErrors(Object.fromEntries(Object.entries(of.form.errors).filter(([path]) => !/^(goals|landings)\./.test(path))))
  }
  return (
    <div role="group" aria-label={t(`landing.${type}`)} className={classes.goalRules}>
      <div className={classes.landingHead}>
        <h2 className={classes.goalName}>{t(`landing.${type}`)}</h2>
        <span aria-hidden>{t('landing.weight')}</span>
        <span aria-hidden>{t('landing.share')}</span>
      </div>
      {rows.map(({ landing, index }) => (
        <div
          key={landing.uuid}
          id={fieldId(of.id, `landings.${index}`)}
          tabIndex={-1}
          role="group"
          aria-label={landing.name}
          className={classes.landing}
        >
          <span className={classes.landingName}>
            {landing.name} <LandingBadge landing={landing} />
            <Refusal of={of} index={index} name={landing.name} />
          </span>
          <NumberField of={of} name={`landings.${index}.weight`} label={t('landing.weight')} whole />
          <span className={classes.share}>{shareWords(t, landing, of.values.landings)}</span>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('landing.remove', { name: landing.name })}
            onClick={() => void remove(landing)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {rows.every(({ landing }) => !shares.get(landing.uuid)) && (
        <Alert color="var(--ohma-waiting)" role="status" className={classes.noneDrawn}>
          {t(`landing.noneDrawn.${leads && type === 'landing' ? 'leads' : type}`)}
        </Alert>
      )}
    </div>
  )
}

/** Why the server does not take this landing, at its row. */
function Refusal({ of, index, name }: { of: SaveForm<OfferValues>; index: number; name: string }) {
  const path = `landings.${index}.landing_uuid`
  of.labels.set(path, name)
  const error = of.form.errors[path]
  return typeof error === 'string' && <p className={classes.error}>{fieldText(error)}</p>
}

/** Finds landings that may stand in this offer: one of leads has no advertiser, and those of none. */
function Add({ of, leads, onAdd }: { of: SaveForm<OfferValues>; leads: boolean; onAdd: (row: LandingRow) => void }) {
  const { t } = useTranslation('offer')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState(false)
  const [settled] = useDebouncedValue(search.trim(), 200)
  const { landings, advertiser_uuid } = of.values
  const open = leads || advertiser_uuid !== null
  const { data } = useQuery({
    ...query(landingApi.options, { body: { search: settled, status: ['active'], advertiser_uuid, unowned: leads } }),
    enabled: opened && open,
  })
  const options = (data?.list ?? []).filter(({ uuid }) => !landings.some((one) => one.uuid === uuid))
  return (
    <Select
      aria-label={t('landing.add')}
      placeholder={t('landing.add')}
      description={t(leads ? 'landing.addLeads' : open ? 'landing.addHelp' : 'landing.addAdvertiser')}
      inputWrapperOrder={['input', 'description']}
      disabled={!open}
      data={options.map(({ uuid, id, name, type }) => ({ value: uuid, label: `${name} · ${id} · ${t(`landing.is.${type}`)}` }))}
      filter={({ options: all }) => all}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={t('landing.none')}
      maxDropdownHeight={280}
      value={null}
      onChange={(uuid) => {
        const chosen = options.find((one) => one.uuid === uuid)
        if (chosen === undefined) return
        onAdd({ ...chosen, weight: joiningWeight(landings, chosen.type), private: false, failures: 0, reason: '' })
        setSearch('')
      }}
      className={classes.addSelect}
    />
  )
}
