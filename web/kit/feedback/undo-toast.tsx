import { Button, CloseButton, Paper, Portal } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { signal } from '#web/kit/signal.ts'
import classes from '#web/kit/feedback/undo-toast.module.css'

const SHOWN_FOR_MS = 8_000

type Offer = { text: string; undo: () => void }
const offer = signal<Offer | undefined>(undefined)

/** Says what was done and offers to take it back for some seconds. A new offer replaces the one before. */
export function offerUndo(text: string, undo: () => void): void {
  offer.set({ text, undo })
}

/** Mounted once in the frame. */
export function UndoToast() {
  const { t } = useTranslation('kit')
  const shown = offer.use()

  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => offer.set(undefined), SHOWN_FOR_MS)
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
                offer.set(undefined)
                shown.undo()
              }}
            >
              {t('undo')}
            </Button>
            <CloseButton size="sm" aria-label={t('close')} onClick={() => offer.set(undefined)} />
          </Paper>
        )}
      </div>
    </Portal>
  )
}
