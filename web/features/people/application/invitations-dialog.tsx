import { Alert, Badge, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { applicationApi } from '#contract/people/application.ts'
import { managerApi } from '#contract/people/manager.ts'
import { query, useSave } from '#web/api/query.ts'
import { currentLanguage, offeredLanguages } from '#web/i18n/language.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import { Modal } from '#web/kit/page/modal.tsx'
import style from './invitations.module.css'

/** Invites somebody to sign up, and shows whom else: what became of it, and how to take it back. */
export function InvitationsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('application')
  const [made, setMade] = useState<{ email: string; link: string | null }>()
  return (
    <Modal opened onClose={onClose} title={t('invitations')} size={640} closeOnClickOutside={typeof made?.link !== 'string'}>
      <Stack gap="lg">
        <InviteForm onMade={setMade} />
        {made !== undefined && (
          <Alert role="status" variant="light" p="sm">
            {made.link === null ? t('invited', { email: made.email }) : t('invitedLink', { email: made.email })}
            {made.link !== null && <CopyField label={t('link')} text={made.link} />}
          </Alert>
        )}
        <InvitationList />
      </Stack>
    </Modal>
  )
}

function InviteForm({ onMade }: { onMade: (made: { email: string; link: string | null }) => void }) {
  const { t } = useTranslation('application')
  const [round, setRound] = useState(0)
  return <InviteFields key={round} t={t} onMade={(made) => (onMade(made), setRound(round + 1))} />
}

function InviteFields({
  t,
  onMade,
}: {
  t: ReturnType<typeof useTranslation<'application'>>['t']
  onMade: (made: { email: string; link: string | null }) => void
}) {
  const form = useSaveForm({
    endpoint: applicationApi.invite,
    initial: { email: '', language: currentLanguage(), manager_uuid: null as string | null },
    toInput: (values) => ({ body: values }),
    invalidate: [applicationApi.invitations],
    savedText: '',
    onSaved: ({ link }, { email }) => onMade({ email: email.trim(), link }),
  })
  return (
    <form onSubmit={form.submit} noValidate className={style.form} aria-label={t('invite')}>
      <TextField of={form} name="email" label={t('email')} type="email" required wide />
      <SelectField of={form} name="language" label={t('language')} options={offeredLanguages} required />
      <ReferenceField of={form} name="manager_uuid" label={t('manager')} endpoint={managerApi.options} chosen={null} />
      <Button type="submit" loading={form.saving} className={style.send}>
        {t('send')}
      </Button>
    </form>
  )
}

const TONES = { open: 'blue', used: 'green', revoked: 'gray', expired: 'gray' } as const
const PAGE = 50

function InvitationList() {
  const { t } = useTranslation('application')
  const [page, setPage] = useState(1)
  const found = useQuery(query(applicationApi.invitations, { body: { count: PAGE, page } }))
  const revoke = useSave(applicationApi.revoke, { invalidate: [applicationApi.invitations] })
  if (found.isError) return <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Skeleton height={60} />
  const { list, summary } = found.data
  if (list.length === 0) return <Text c="dimmed">{t('noInvitations')}</Text>
  return (
    <>
      <ul className={style.list}>
        {list.map(({ uuid, email, state, by, created_at, affiliate }) => (
          <li key={uuid}>
            <div>
              <div className={style.email}>{email}</div>
              <div className={style.soft}>
                <Moment at={created_at} />
                {by !== '' && ` · ${by}`}
                {affiliate !== null && ` · ${affiliate.name}`}
              </div>
            </div>
            <Badge color={TONES[state]} variant="light">
              {t(`state.${state}`)}
            </Badge>
            {state === 'open' && (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`${t('revoke')}: ${email}`}
                loading={revoke.isPending && revoke.variables.params.uuid === uuid}
                onClick={() => revoke.mutate({ params: { uuid } })}
              >
                {t('revoke')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {summary.rows > PAGE && <Pager page={page} count={PAGE} rows={summary.rows} onPage={setPage} />}
    </>
  )
}
