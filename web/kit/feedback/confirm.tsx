import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import i18next from 'i18next'

export type Question = {
  title: string
  text: ReactNode
  /** The verb on the button, such as "Delete offer"; never "OK". */
  action: string
  cancel?: string
  danger?: boolean
  /** Enter does nothing: it is about money. */
  careful?: boolean
}

/** Asks and answers whether people agreed. Closing the dialog is a no. Use an undo toast instead where the deed can be undone. */
export function confirm({ title, text, action, cancel, danger = false, careful = danger }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = false
    modals.openConfirmModal({
      title,
      children: text ? (
        <Text size="sm" component="div" style={{ whiteSpace: 'pre-line' }}>
          {text}
        </Text>
      ) : undefined,
      labels: { confirm: action, cancel: cancel ?? i18next.t('kit:cancel') },
      confirmProps: { color: danger ? 'red.9' : undefined, 'data-autofocus': careful ? undefined : true },
      // Enter on a dangerous question does nothing
      cancelProps: { 'data-autofocus': careful ? true : undefined },
      onConfirm: () => {
        answer = true
      },
      onClose: () => resolve(answer),
      centered: true,
      size: 440,
    })
  })
}
