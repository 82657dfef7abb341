import { Button } from '@mantine/core'
import { IconMailPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { withinChunkTimeout } from '#web/chunk.ts'

const InvitationsDialog = lazy(async () => ({
  default: (await withinChunkTimeout(() => import('#web/features/people/application/invitations-dialog.tsx'))).InvitationsDialog,
}))

/** Opens the invitations: a new one, and those there are. */
export function InvitationsButton() {
  const { t } = useTranslation('application')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconMailPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('invite')}
      </Button>
      <Suspense>{open && <InvitationsDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
