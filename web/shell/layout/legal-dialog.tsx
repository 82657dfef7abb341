import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LEGAL_KINDS, legalKind, type LegalKind } from '#contract/network/legal.ts'
import { LegalReading } from '#web/legal-reading.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** The legal texts for who is signed in: the public pages are for guests. */
export function LegalDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('layout')
  const { t: nameOf } = useTranslation('legal')
  const [kind, setKind] = useState<LegalKind>('terms')
  return (
    <Modal opened onClose={onClose} title={t('legal.title')} size={760}>
      <Stack gap="md">
        <SegmentedControl
          aria-label={t('legal.title')}
          data={LEGAL_KINDS.map((value) => ({ value, label: nameOf(`kind.${value}`) }))}
          value={kind}
          onChange={(value) => setKind(legalKind.parse(value))}
          style={{ maxWidth: '100%', overflowX: 'auto' }}
        />
        <LegalReading kind={kind} />
      </Stack>
    </Modal>
  )
}
