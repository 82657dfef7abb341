import i18next from 'i18next'
import { copyText } from '#web/clipboard.ts'
import { notify } from '#web/notify.ts'

/** Puts text on the clipboard and says so; answers whether it worked. */
export async function copyAloud(text: string): Promise<boolean> {
  const copied = await copyText(text)
  if (copied) notify.success(i18next.t('kit:copied'))
  else notify.error(i18next.t('kit:copyFailed'))
  return copied
}
