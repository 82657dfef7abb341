import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CALL_STATUSES } from '#contract/leads/call-status.ts'
import { COLD_ACTIONS, coldRuleApi, type ColdRuleDetail } from '#contract/leads/cold-rule.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { query } from '#web/api/query.ts'
import { AudienceSection } from '#web/features/leads/cold-rule/audience-section.tsx'
import { RULES_CHANGED } from '#web/features/leads/cold-rule/rules-changed.ts'
import { CountPanel } from '#web/features/leads/cold-rule/count-panel.tsx'
import { blankRule, ruleBody, TRIGGERS, valuesOfRule, type RuleValues } from '#web/features/leads/cold-rule/rule-values.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

/** A new rule. `onSaved`: it is a draft now. */
export function ColdRuleCreate({ onClose, onSaved }: { onClose: () => void; onSaved: (uuid: string) => void }) {
  const { t } = useTranslation('coldRule')
  const form = useSaveForm({
    endpoint: coldRuleApi.create,
    initial: blankRule(useZone()),
    toInput: (values) => ({ body: ruleBody(values) }),
    invalidate: RULES_CHANGED,
    savedText: t('created'),
    onSaved: ({ uuid }) => onSaved(uuid),
  })
  return <Steps of={form} title={t('create.title')} action={t('create.action')} rule={null} onClose={onClose} />
}

/** Changes a rule. */
export function ColdRuleEdit({ uuid, onClose, onSaved }: { uuid: string; onClose: () => void; onSaved: (uuid: string) => void }) {
  const { t } = useTranslation('coldRule')
  const found = useQuery(query(coldRuleApi.get, { params: { uuid } }))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {(rule) => <Edit of={rule} onClose={onClose} onSaved={onSaved} />}
    </QueryPage>
  )
}

function Edit({ of, onClose, onSaved }: { of: ColdRuleDetail; onClose: () => void; onSaved: (uuid: string) => void }) {
  const { t } = useTranslation('coldRule')
  const form = useSaveForm({
    endpoint: coldRuleApi.update,
    record: of,
    valuesOf: valuesOfRule,
    toInput: (values, { uuid, version }) => ({ params: { uuid }, body: { ...ruleBody(values), version } }),
    invalidate: RULES_CHANGED,
    onSaved: ({ uuid }) => onSaved(uuid),
  })
  return <Steps of={form} title={of.title} action={t('save')} rule={of} onClose={onClose} />
}

type StepsProps = { of: SaveForm<RuleValues>; title: string; action: string; rule: ColdRuleDetail | null; onClose: () => void }

/** When, who, then, and how many at most; and whom it would take. */
function Steps({ of, title, action, rule, onClose }: StepsProps) {
  const { t } = useTranslation('coldRule')
  return (
    <>
      <PageHeader title={title} />
      <PageForm of={of} label={title} action={action} onCancel={onClose}>
        <WhenSection of={of} />
        <AudienceSection of={of} />
        <ThenSection of={of} list={rule?.names.list ?? []} template={rule?.names.template ?? []} />
        <FormSection title={t('step.limits')}>
          <NumberField of={of} name="per_run" label={t('per_run')} help={t('per_run.help')} whole required />
          <NumberField of={of} name="per_day" label={t('per_day')} help={t('per_day.help')} whole required />
          <NumberField of={of} name="priority" label={t('priority')} help={t('priority.help')} whole required />
          <SwitchField of={of} name="stops" label={t('stops')} help={t('stops.help')} />
        </FormSection>
        <CountPanel of={ruleBody(of.values)} uuid={rule?.uuid ?? null} />
      </PageForm>
    </>
  )
}

function WhenSection({ of }: { of: SaveForm<RuleValues> }) {
  const { t } = useTranslation('coldRule')
  const { kind } = of.values.trigger
  return (
    <FormSection title={t('step.when')}>
      <TextField of={of} name="title" label={t('rule_title')} required wide />
      <SelectField
        of={of}
        name="trigger.kind"
        label={t('trigger')}
        options={TRIGGERS.map((value) => ({ value, label: t(`trigger.${value}`) }))}
        required
      />
      {kind === 'call_status' && (
        <MultiSelectField
          of={of}
          name="trigger.call_statuses"
          label={t('trigger.call_statuses')}
          options={CALL_STATUSES.map((value) => ({ value, label: t(`userSession:call.${value}` as 'one') }))}
          required
        />
      )}
      {kind === 'silent' && <NumberField of={of} name="trigger.days" label={t('trigger.days')} unit={t('days')} whole required />}
      {kind === 'hours' && <NumberField of={of} name="trigger.hours" label={t('trigger.hoursApart')} unit={t('hours')} whole required />}
      {kind === 'daily' && (
        <>
          <TextField of={of} name="trigger.at" label={t('trigger.at')} placeholder="09:30" required />
          <ZoneField of={of} name="trigger.time_zone" label={t('trigger.zone')} required />
        </>
      )}
    </FormSection>
  )
}

type ThenProps = { of: SaveForm<RuleValues>; list: readonly ReferenceRow[]; template: readonly ReferenceRow[] }

function ThenSection({ of, list, template }: ThenProps) {
  const { t } = useTranslation('coldRule')
  const { kind, list_uuid: listed, template_uuid: made } = of.values.action
  return (
    <FormSection title={t('step.then')} text={t('step.thenText')}>
      <SelectField
        of={of}
        name="action.kind"
        label={t('action')}
        options={COLD_ACTIONS.map((value) => ({ value, label: t(`action.${value}`) }))}
        help={t(`action.${kind as 'send'}Help`)}
        required
      />
      {kind === 'list' ? (
        <ReferenceField
          of={of}
          name="action.list_uuid"
          label={t('action.toList')}
          endpoint={leadListApi.options}
          chosen={list.find(({ uuid }) => uuid === listed) ?? null}
          required
        />
      ) : (
        <ReferenceField
          of={of}
          name="action.template_uuid"
          label={t('action.template')}
          endpoint={coldRuleApi.templates}
          chosen={template.find(({ uuid }) => uuid === made) ?? null}
          help={t('action.templateHelp')}
          required
        />
      )}
    </FormSection>
  )
}
