import { ActionIcon, Button, Select } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { landingApi } from '#contract/offers/landing.ts'
import { landingType } from '#contract/offers/offer-landing.ts'
import { query } from '#web/api/query.ts'
import { percent } from '#web/format.ts'
import { LandingBadge } from '#web/features/offers/offer/landing-badge.tsx'
import type { LandingRow, OfferValues } from '#web/features/offers/offer/form/offer-values.ts'
import { ProposeLanding } from '#web/features/offers/offer/form/propose-landing.tsx'
import { sharesOf } from '#web/features/offers/offer/landing-share.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

/** Where visitors of an offer go: landings and pre-landings with their weights; `offer` is the saved one, where new ones may be proposed. */
export function LandingsEditor({ of, offer }: { of: SaveForm<OfferValues>; offer?: string }) {
  const { t } = useTranslation('offer')
  const [proposing, setProposing] = useState(false)
  of.labels.set('landings', t('section.landings'))
  const add = (row: LandingRow) => of.form.insertListItem('landings', row)
  return (
    <FormSection title={t('section.landings')} text={t('section.landingsText')}>
      <div className={classes.rows} data-wide>
        {landingType.options.map((type) => (
          <Rows key={type} of={of} type={type} />
        ))}
        <div className={classes.addLanding}>
          <Add taken={of.values.landings} onAdd={add} />
          {offer !== undefined && (
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setProposing(true)}>
              {t('landing.propose')}
            </Button>
          )}
        </div>
      </div>
      {proposing && offer !== undefined && <ProposeLanding offer={offer} onMade={add} onClose={() => setProposing(false)} />}
    </FormSection>
  )
}

function Rows({ of, type }: { of: SaveForm<OfferValues>; type: LandingRow['type'] }) {
  const { t } = useTranslation('offer')
  const shares = sharesOf(of.values.landings)
  const rows = of.values.landings.flatMap((landing, index) => (landing.type === type ? [{ landing, index }] : []))
  if (rows.length === 0) return null
  const remove = (index: number, uuid: string) => {
    of.form.removeListItem('landings', index)
    // what is no landing of the offer pays by no row
    of.values.goals.forEach((goal, place) =>
      goal.rules.forEach((rule, position) => {
        if (rule.landing_uuids.includes(uuid))
          of.form.setFieldValue(
            `goals.${place}.rules.${position}.landing_uuids`,
            rule.landing_uuids.filter((one) => one !== uuid),
          )
      }),
    )
  }
  return (
    <div role="group" aria-label={t(`landing.${type}`)} className={classes.goalRules}>
      <h2 className={classes.goalName}>{t(`landing.${type}`)}</h2>
      {rows.map(({ landing, index }) => (
        <div key={landing.uuid} role="group" aria-label={landing.name} className={classes.landing}>
          <span className={classes.landingName}>
            {landing.name} <LandingBadge landing={landing} />
          </span>
          <NumberField of={of} name={`landings.${index}.weight`} label={t('landing.weight')} whole />
          <span className={classes.share}>
            {landing.weight === '0' || landing.private ? t('landing.onlyAsked') : percent(shares.get(landing.uuid) ?? 0)}
          </span>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('landing.remove', { name: landing.name })}
            onClick={() => remove(index, landing.uuid)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
    </div>
  )
}

function Add({ taken, onAdd }: { taken: readonly LandingRow[]; onAdd: (row: LandingRow) => void }) {
  const { t } = useTranslation('offer')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState(false)
  const [settled] = useDebouncedValue(search.trim(), 200)
  const { data } = useQuery({ ...query(landingApi.options, { body: { search: settled, status: ['active'] } }), enabled: opened })
  const options = (data?.list ?? []).filter(({ uuid }) => !taken.some((one) => one.uuid === uuid))
  return (
    <Select
      aria-label={t('landing.add')}
      placeholder={t('landing.add')}
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
        onAdd({ ...chosen, weight: '100', private: false, failures: 0, reason: '' })
        setSearch('')
      }}
      className={classes.addSelect}
    />
  )
}
