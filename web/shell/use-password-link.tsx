import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { affiliateApi } from '#contract/people/affiliate.ts'
import type { managerApi } from '#contract/people/manager.ts'
import { query } from '#web/api/query.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { useCan } from '#web/shell/access.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

type LinkEndpoint = typeof affiliateApi.passwordLink | typeof managerApi.passwordLink
type Account = { uuid: string; name?: string; link?: string | null; mailed?: boolean }

/** Shows the one-time link of an account, a fresh one where none is given; `dialog` belongs somewhere on the screen. */
export function usePasswordLink(
  endpoint: LinkEndpoint,
  onClosed?: (account: Account) => void,
): { show: (account: Account) => void; dialog: ReactNode } {
  const [account, setAccount] = useState<Account>()
  const close = () => {
    setAccount(undefined)
    if (account !== undefined) onClosed?.(account)
  }
  return { show: setAccount, dialog: account !== undefined && <PasswordLinkDialog endpoint={endpoint} {...account} onClose={close} /> }
}

type PasswordLinkDialogProps = {
  /** The endpoint that makes a link for this kind of account. */
  endpoint: LinkEndpoint
  /** Whose account it is; the link is made when none is given. */
  uuid: string
  name?: string
  /** null: it was mailed, or somebody else has to be asked for it. */
  link?: string | null
  mailed?: boolean
  onClose: () => void
}

/** A one-time link to set a password, to hand over by whatever means its owner is reached. */
function PasswordLinkDialog({ endpoint, uuid, name, link, mailed, onClose }: PasswordLinkDialogProps) {
  const { t } = useTranslation('shell')
  const maySee = useCan()('account.password_link')
  const [show, setShow] = useState(false)
  // each call makes a new link and ends the one before, so it must not be repeated in the background
  const made = useQuery({
    ...query(endpoint, { params: { uuid }, body: { show } }),
    enabled: link === undefined || show,
    staleTime: Infinity,
    gcTime: 0,
  })
  const given = link === undefined || show ? made.data : { link, mailed: mailed ?? false }
  const shown = given?.link
  const [copied, setCopied] = useState(false)
  // it is shown once: what was not copied goes away only by the button that says so
  const mayGo = copied || typeof shown !== 'string'
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={mayGo}
      closeOnEscape={mayGo}
      withCloseButton={mayGo}
      title={name === undefined ? t('passwordLink.title') : t('passwordLink.titleFor', { name })}
      centered
      size={560}
    >
      {given !== undefined && (
        <Text size="sm" c="dimmed" mb="md">
          {t(given.mailed ? 'passwordLink.mailed' : shown === null ? 'passwordLink.ask' : 'passwordLink.help')}
        </Text>
      )}
      {typeof shown === 'string' && <CopyField label={t('passwordLink.link')} text={shown} onCopied={() => setCopied(true)} />}
      {shown === undefined && made.error === null && <Skeleton height={58} />}
      {shown === undefined && made.error !== null && (
        <ErrorState what={t('passwordLink.failed')} error={made.error} onRetry={() => void made.refetch()} />
      )}
      {given?.mailed && maySee && (
        <Button variant="subtle" px={0} onClick={() => setShow(true)}>
          {t('passwordLink.show')}
        </Button>
      )}
      <Button variant="default" onClick={onClose} mt="lg" ml="auto" display="block">
        {t('passwordLink.done')}
      </Button>
    </Modal>
  )
}
