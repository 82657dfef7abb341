import { ActionIcon, Button, Group, Switch } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { fieldText } from '#web/i18n/language.ts'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { ReferencesField } from '#web/kit/fields/references-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { DayHours } from '#web/opening/day-hours.tsx'
import classes from './lead.module.css'
import type { ApiOfferValues } from './lead-values.ts'
import { useLackingWords } from './use-lacking-words.ts'
import { MemberLimits } from './member-limits.tsx'
import { PriceRows } from './price-rows.tsx'

const MODES = ['all', 'only', 'except'] as const
const DAYS = [0, 1, 2, 3, 4, 5, 6] as const

/** One product of a group: what it is, whether it takes part, and, opened, its terms. */
export function MemberEditor({ of, group, place }: { of: SaveForm<ApiOfferValues>; group: number; place: number }) {
  const { t } = useTranslation('offer')
  const lackingWords = useLackingWords()
  const list = `groups.${group}.members` as const
  const path = `${list}.${place}` as const
  const [chosen, setOpen] = useState(false)
  const members = of.values.groups[group]?.members ?? []
  const member = members[place]
  // what is wrong inside must be seen
  const open = chosen || Object.keys(of.form.errors).some((name) => name.startsWith(`${path}.`) && name !== `${path}.product_uuid`)
  const countries = useCountryOptions()
  if (member === undefined) return null
  const strategy = of.values.groups[group]?.strategy
  const { name } = member.product
  const lacking = lackingWords(of.values.integration_type, member.needs)
  const refused = of.form.errors[`${path}.product_uuid`]
  of.labels.set(`${path}.product_uuid`, name)
  const modes = MODES.map((value) => ({ value, label: t(`lead.mode.${value}`) }))
  const move = (to: number) => of.form.reorderListItem(list, { from: place, to })
  return (
    <div role="group" aria-label={name} className={classes.member}>
      <div className={classes.head}>
        <Button
          id={fieldId(of.id, `${path}.product_uuid`)}
          variant="subtle"
          color="gray"
          size="compact-md"
          aria-expanded={open}
          aria-label={t('lead.terms', { name })}
          leftSection={open ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
          onClick={() => setOpen(!open)}
          classNames={{ label: classes.name }}
        >
          {place + 1}. {name}
        </Button>
        <span className="ohma-soft">{member.advertiser}</span>
        {lacking !== '' && <StatusBadge tone="waiting" label={t('lead.needs', { fields: lacking })} />}
        {member.hindered !== null && <StatusBadge tone="waiting" label={t(`lead.hindered.${member.hindered}`)} />}
        <Group gap={2} className={classes.actions}>
          <Switch
            size="sm"
            label={t('lead.takes')}
            checked={!member.paused}
            onChange={(event) => of.form.setFieldValue(`${path}.paused`, !event.currentTarget.checked)}
            mr={8}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            disabled={place === 0}
            aria-label={t('lead.up', { name })}
            onClick={() => move(place - 1)}
          >
            <IconArrowUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            disabled={place === members.length - 1}
            aria-label={t('lead.down', { name })}
            onClick={() => move(place + 1)}
          >
            <IconArrowDown size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t('lead.remove', { name })}
            onClick={() => of.form.removeListItem(list, place)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </div>
      {typeof refused === 'string' && <p className={classes.error}>{fieldText(refused)}</p>}
      {open && (
        <div className={classes.fields}>
          {strategy !== 'priority' && strategy !== 'round_robin' && (
            <NumberField of={of} name={`${path}.weight`} label={t('lead.weight')} help={t('lead.weightHelp')} whole required />
          )}
          <MultiSelectField of={of} name={`${path}.geos`} label={t('lead.geos')} options={countries} placeholder={t('lead.anyGeo')} />
          <PriceRows of={of} path={path} />
          <MemberLimits of={of} path={path} />
          <ZoneField of={of} name={`${path}.time_zone`} label={t('lead.zone')} help={t('lead.zoneHelp')} />
          <SwitchField of={of} name={`${path}.always`} label={t('lead.always')} help={t('lead.alwaysHelp')} />
          {!member.always && (
            <DayHours of={of} path={`${path}.days`} days={DAYS.map((day) => t(`lead.day.${day}`))} closed={t('lead.closed')} />
          )}
          <SelectField of={of} name={`${path}.affiliates.mode`} label={t('lead.affiliates')} options={modes} />
          {member.affiliates.mode === 'all' ? (
            <span className={classes.gap} />
          ) : (
            <ReferencesField of={of} name={`${path}.affiliates.affiliate_uuids`} label={t('lead.whose')} endpoint={affiliateApi.list} />
          )}
          <SelectField of={of} name={`${path}.subs.mode`} label={t('lead.subs')} options={modes} />
          {member.subs.mode === 'all' ? (
            <span className={classes.gap} />
          ) : (
            <TagsField of={of} name={`${path}.subs.values`} label={t('lead.subValues')} />
          )}
          <SelectField
            of={of}
            name={`${path}.on_reject`}
            label={t('lead.onReject')}
            options={(['next', 'stop'] as const).map((value) => ({ value, label: t(`lead.onReject.${value}`) }))}
          />
          <SelectField
            of={of}
            name={`${path}.on_timeout`}
            label={t('lead.onTimeout')}
            help={t('lead.onTimeoutHelp')}
            options={(['ask', 'next'] as const).map((value) => ({ value, label: t(`lead.onTimeout.${value}`) }))}
          />
          <NumberField
            of={of}
            name={`${path}.reject_above`}
            label={t('lead.rejectAbove')}
            unit="%"
            help={t('lead.rejectAboveHelp')}
            whole
          />
          <NumberField
            of={of}
            name={`${path}.repeat_days`}
            label={t('lead.again')}
            unit={t('days')}
            placeholder={t('lead.never')}
            help={t('lead.againHelp')}
            whole
          />
        </div>
      )}
    </div>
  )
}
