import { Alert, Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Ways } from './step-form.tsx'

type DoneNoteProps = { text: string; next: () => void; back: (() => void) | undefined; children?: ReactNode }

/** What is there already is not asked for again. */
export function DoneNote({ text, next, back, children }: DoneNoteProps) {
  const { t } = useTranslation('setUp')
  return (
    <>
      <Alert color="var(--ohma-good)" icon={<IconCheck size={18} aria-hidden />} role="status">
        {text}
      </Alert>
      {children}
      <Ways back={back}>
        <Button onClick={next}>{t('next')}</Button>
      </Ways>
    </>
  )
}
