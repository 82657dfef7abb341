import i18next from 'i18next'
import { copyText } from '#web/clipboard.ts'
import { notify } from '#web/notify.ts'

/** Puts text on the clipboard and says so. */
export async function copyAloud(text: string): Promise<void> {
  if (await copyText(text)) notify.success(i18next.t('kit:copied'))
  else notify.error(i18next.t('kit:copyFailed'))
}
