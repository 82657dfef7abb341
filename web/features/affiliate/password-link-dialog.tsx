import { Button, Modal, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { affiliateApi } from '#contract/affiliate.ts'
import { query } from '#web/api/query.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'

type PasswordLinkDialogProps = {
  /** The affiliate to make a link for; not needed when there is one already. */
  affiliate: string
  link?: string
  onClose: () => void
}

/** A one-time link to set a password, to hand over by whatever means the affiliate is reached. */
export function PasswordLinkDialog({ affiliate, link, onClose }: PasswordLinkDialogProps) {
  const { t } = useTranslation('affiliate')
  // each call makes a new link and ends the one before, so it must not be repeated in the background
  const made = useQuery({
    ...query(affiliateApi.passwordLink, { params: { uuid: affiliate } }),
    enabled: link === undefined,
    staleTime: Infinity,
    gcTime: 0,
  })
  const shown = link ?? made.data?.link
  return (
    <Modal opened onClose={onClose} title={t('passwordLink')} centered size={560}>
      <Text size="sm" c="dimmed" mb="md">
        {t('passwordLinkHelp')}
      </Text>
      {shown !== undefined && <CopyField label={t('link')} text={shown} />}
      {shown === undefined && made.error === null && <Skeleton height={58} />}
      {shown === undefined && made.error !== null && (
        <ErrorState what={t('passwordLinkFailed')} error={made.error} onRetry={() => void made.refetch()} />
      )}
      <Button variant="default" onClick={onClose} mt="lg" ml="auto" display="block">
        {t('done')}
      </Button>
    </Modal>
  )
}
