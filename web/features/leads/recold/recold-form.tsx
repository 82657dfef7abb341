import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { recoldApi, type RecoldDetail } from '#contract/leads/recold.ts'
import { query } from '#web/api/query.ts'
import { DataSection } from '#web/features/leads/recold/data-section.tsx'
import { ListSection } from '#web/features/leads/recold/list-section.tsx'
import { SkipSection } from '#web/features/leads/recold/skip-section.tsx'
import { blankRecold, recoldBody, valuesOfRecold, type RecoldValues } from '#web/features/leads/recold/form-values.ts'
import { PacingSection } from '#web/features/leads/recold/pacing-section.tsx'
import { ScheduleSection } from '#web/features/leads/recold/schedule-section.tsx'
import { Preview } from '#web/features/leads/recold/preview.tsx'
import { TargetSection } from '#web/features/leads/recold/target-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { useGo } from '#web/shell/access.ts'
import classes from './steps.module.css'

const CHANGED: readonly Endpoint[] = [recoldApi.list, recoldApi.get, recoldApi.live, recoldApi.items, leadListApi.get, leadListApi.list]

/** A new distribution, of the list the address names where it names one. */
export function RecoldCreate({ list, onClose }: { list: string | null; onClose: () => void }) {
  return list === null ? <Create list={null} onClose={onClose} /> : <CreateOf list={list} onClose={onClose} />
}

function CreateOf({ list, onClose }: { list: string; onClose: () => void }) {
  const { t } = useTranslation('recold')
  const found = useQuery(query(leadListApi.get, { params: { uuid: list } }))
  return (
    <QueryPage query={found} failed={t('list.failed')}>
      {({ uuid, id, title }) => <Create list={{ uuid, id, name: title }} onClose={onClose} />}
    </QueryPage>
  )
}

function Create({ list, onClose }: { list: ReferenceRow | null; onClose: () => void }) {
  const { t } = useTranslation('recold')
  const go = useGo()
  const form = useSaveForm({
    endpoint: recoldApi.create,
    initial: blankRecold(useZone(), list?.uuid ?? null),
    toInput: (values) => ({ body: recoldBody(values) }),
    invalidate: CHANGED,
    savedText: t('created'),
    onSaved: ({ uuid }) => go('recold', { uuid }),
  })
  return <Steps of={form} title={t('create.title')} action={t('create.action')} list={list} offer={null} fixed={false} onClose={onClose} />
}

/** Changes a draft or a paused distribution. */
export function RecoldEdit({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation('recold')
  const found = useQuery(query(recoldApi.get, { params: { uuid } }))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {(recold) => <Edit of={recold} onClose={onClose} />}
    </QueryPage>
  )
}

function Edit({ of, onClose }: { of: RecoldDetail; onClose: () => void }) {
  const { t } = useTranslation('recold')
  const go = useGo()
  const form = useSaveForm({
    endpoint: recoldApi.update,
    record: of,
    valuesOf: valuesOfRecold,
    toInput: (values, { uuid, version }) => ({ params: { uuid }, body: { ...recoldBody(values), version } }),
    invalidate: CHANGED,
    onSaved: ({ uuid }) => go('recold', { uuid }),
  })
  const { list, offer } = of
  return <Steps of={form} title={of.title} action={t('save')} list={list} offer={offer} fixed={of.started_at !== null} onClose={onClose} />
}

type StepsProps = {
  of: SaveForm<RecoldValues>
  title: string
  action: string
  list: ReferenceRow | null
  offer: ReferenceRow | null
  /** It was started: its list stays. */
  fixed: boolean
  onClose: () => void
}

/** The four steps, one under the other, and beside them what it would do. */
function Steps({ of, title, action, list, offer, fixed, onClose }: StepsProps) {
  const { t } = useTranslation('recold')
  return (
    <>
      <PageHeader title={title} />
      <PageForm of={of} label={title} action={action} wide onCancel={onClose}>
        <div className={classes.steps}>
          <div className={classes.fields}>
            <ListSection of={of} chosen={list} fixed={fixed} />
            <TargetSection of={of} chosen={offer} fixed={fixed} />
            <ScheduleSection of={of} />
            <PacingSection of={of} />
            <DataSection of={of} />
            <SkipSection of={of} />
          </div>
          <Box className={classes.ahead} role="group" aria-label={t('preview')} tabIndex={0}>
            <Preview of={recoldBody(of.values)} />
          </Box>
        </div>
      </PageForm>
    </>
  )
}
