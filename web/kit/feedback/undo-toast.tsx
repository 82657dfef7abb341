import { Affix, Button, CloseButton, Group, Paper } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { create } from 'zustand'

const SHOWN_FOR_MS = 8_000

type Offer = { text: string; undo: () => void }
const useOffer = create<{ shown: Offer | undefined }>(() => ({ shown: undefined }))
const withdraw = () => useOffer.setState({ shown: undefined })

/** Says what was done and offers to take it back for some seconds. A new offer replaces the one before. */
export function offerUndo(text: string, undo: () => void): void {
  useOffer.setState({ shown: { text, undo } })
}

/** Mounted once in the frame. */
export function UndoToast() {
  const { t } = useTranslation('kit')
  const { shown } = useOffer()

  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(withdraw, SHOWN_FOR_MS)
    return () => clearTimeout(timer)
  }, [shown])

  return (
    <Affix role="status" position={{ bottom: 24, left: 12, right: 12 }} zIndex={250} style={{ pointerEvents: 'none' }}>
      {shown && (
        <Paper
          shadow="md"
          p="10px 10px 10px 16px"
          w="max-content"
          maw="100%"
          mx="auto"
          bg="var(--ohma-raised)"
          style={{ pointerEvents: 'auto' }}
        >
          <Group gap={14} wrap="nowrap">
            <span>{shown.text}</span>
            <Button
              size="compact-sm"
              variant="light"
              flex="none"
              onClick={() => {
                withdraw()
                shown.undo()
              }}
            >
              {t('undo')}
            </Button>
            <CloseButton size="sm" aria-label={t('close')} onClick={withdraw} />
          </Group>
        </Paper>
      )}
    </Affix>
  )
}
