import { Button, CloseButton, Paper, Portal } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import classes from '#web/kit/feedback/undo-toast.module.css'

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
    <Portal>
      <div role="status" className={classes.place}>
        {shown && (
          <Paper className={classes.toast}>
            <span>{shown.text}</span>
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => {
                withdraw()
                shown.undo()
              }}
            >
              {t('undo')}
            </Button>
            <CloseButton size="sm" aria-label={t('close')} onClick={withdraw} />
          </Paper>
        )}
      </div>
    </Portal>
  )
}
