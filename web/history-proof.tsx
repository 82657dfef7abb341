import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Proof = lazy(async () => {
  const load = () => Promise.all([import('#web/features/traffic/history/proof-dialog.tsx'), loadLateTexts('conversionImport')])
  return { default: (await withinChunkTimeout(load))[0].ProofDialog }
})

/** The button by which an affiliate checks that nothing of its history was changed or taken out; the dialog is fetched then. */
export function HistoryProofButton() {
  const { t } = useTranslation('conversion')
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconShieldCheck size={15} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {t('verify')}
      </Button>
      <Suspense>{opened && <Proof onClose={() => setOpened(false)} />}</Suspense>
    </>
  )
}
