import { Alert, Button, Group } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { DOMAIN_KINDS, domainApi, type DomainKind } from '#contract/network/domain.ts'
import { query, useSave } from '#web/api/query.ts'
import { DomainChecks } from '#web/features/network/domain/domain-checks.tsx'
import { NewDomainFields, newDomain } from '#web/features/network/domain/domain-fields.tsx'
import { DOMAIN_STATUS } from '#web/features/network/domain/domain-status.ts'
import { Verify } from '#web/features/network/domain/domain-verify.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import classes from '#web/kit/form/form.module.css'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Status } from '#web/kit/status/status.tsx'
import type { StepProps } from './steps.ts'
import { Ways } from './step-form.tsx'

/** How soon what was found of a domain that waits is shown. */
const LOOK_MS = 10_000
const STALE = [domainApi.list, domainApi.get, dashboardApi.firstSteps]

/** The names of the panel and of links: each is added, shown to be the network's, and made the default. */
export function DomainStep({ there, next, back }: StepProps) {
  const { t } = useTranslation('setUp')
  const found = useQuery(query(domainApi.list, { body: { status: ['pending', 'verified', 'failing'], count: 20, sort: 'id' } }))
  // one that waits for its record is no reason to wait here: it is looked at by itself
  const added = there.domain || (found.data?.list.length ?? 0) > 0
  return (
    <>
      {!there.domain && (
        <Alert color="var(--ohma-waiting)" role="note" title={t('domain.without')}>
          {t('domain.withoutText')}
        </Alert>
      )}
      <QueryPage query={found} failed={t('domain.failed')}>
        {({ list }) =>
          DOMAIN_KINDS.map((kind) => {
            const made = list.find((one) => one.kind === kind)
            return made === undefined ? <DomainForm key={kind} kind={kind} /> : <DomainState key={kind} uuid={made.uuid} />
          })
        }
      </QueryPage>
      <Ways back={back} skip={added ? undefined : next}>
        {added && <Button onClick={next}>{t('next')}</Button>}
      </Ways>
    </>
  )
}

function DomainForm({ kind }: { kind: DomainKind }) {
  const { t } = useTranslation('setUp')
  const { t: word } = useTranslation('domain')
  const form = useSaveForm({
    endpoint: domainApi.create,
    initial: newDomain(),
    toInput: (values) => ({ body: { ...values, kind } }),
    invalidate: STALE,
    onSaved: () => {},
  })
  const label = word(`kind.${kind}`)
  return (
    <form className={classes.page} aria-label={label} noValidate onSubmit={form.submit}>
      <FormProblems of={form} />
      <FormSection title={label} text={word(`kindHelp.${kind}`)}>
        <NewDomainFields of={form} kind={kind} />
        <Button type="submit" variant="light" loading={form.saving} style={{ justifySelf: 'start' }}>
          {t('domain.add')}
        </Button>
      </FormSection>
    </form>
  )
}

function DomainState({ uuid }: { uuid: string }) {
  const { t } = useTranslation('setUp')
  const found = useQuery({
    ...query(domainApi.get, { params: { uuid } }),
    // it is looked at by itself every minute or so
    refetchInterval: ({ state }) => (state.data?.status === 'verified' ? false : LOOK_MS),
  })
  return (
    <QueryPage query={found} failed={t('domain.failed')}>
      {(domain) => <Domain of={domain} />}
    </QueryPage>
  )
}

function Domain({ of: domain }: { of: CallOutput<typeof domainApi.get> }) {
  const { t } = useTranslation('setUp')
  const { t: word } = useTranslation('domain')
  const params = { uuid: domain.uuid }
  const usual = useSave(domainApi.setDefault, { invalidate: STALE })
  const check = useSave(domainApi.check, { invalidate: STALE })
  const pending = domain.verified_at === null
  return (
    <Panel
      title={domain.host}
      text={word(`kind.${domain.kind}`)}
      actions={
        <Group gap={8}>
          <Status of={DOMAIN_STATUS} value={domain.status} />
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={check.isPending}
            onClick={() => check.mutate({ params })}
          >
            {word('look')}
          </Button>
        </Group>
      }
    >
      {pending && <Verify of={domain} />}
      {domain.checks.length > 0 && <DomainChecks checks={domain.checks} pending={pending} />}
      {!pending && (
        <div>
          {domain.default ? (
            <span className="ohma-soft">{t('domain.default')}</span>
          ) : (
            <Button variant="light" loading={usual.isPending} onClick={() => usual.mutate({ params })}>
              {word('makeDefault')}
            </Button>
          )}
        </div>
      )}
    </Panel>
  )
}
