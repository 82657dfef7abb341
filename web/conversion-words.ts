import type { Say } from '#web/i18n/use-translation.ts'
import { UNKNOWN } from '#web/format.ts'
import { screenHref, useCan } from '#web/shell/access.ts'

/** The parameter of the list's address that says whose life is open over it. */
export const LIFE = 'life'

/** The way to the life of a conversion: its page for those who have one, the panel over the list for others. */
export function useLifeHref(): (uuid: string) => string {
  const can = useCan()
  return (uuid) =>
    can('conversion.detail')
      ? screenHref('statisticConversionDetail', { uuid })
      : `${screenHref('statisticDirectConversion')}?${new URLSearchParams({ [LIFE]: uuid })}`
}

/** A reason in the language of the panel where it is one of our codes, or begins with one; what people wrote stays as it is. */
export function reasonOf(t: Say<'conversion'>, reason: string): string {
  if (reason === '') return UNKNOWN
  const [, code = '', words = ''] = /^(cap_reached|by_import|by_staff|by_postback(?=$|: ))((?:: .*)?)$/s.exec(reason) ?? []
  return code === 'cap_reached' || code === 'by_postback' || code === 'by_import' || code === 'by_staff' ? t(`why.${code}`) + words : reason
}
