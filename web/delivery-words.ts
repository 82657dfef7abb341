import { useCallback } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DELIVERY_ERRORS } from '#contract/traffic/delivery-error.ts'

/** Says why a postback was not delivered: `host_not_found` in words, an answer such as `HTTP 500` as it is. */
export function useDeliveryWords(): (error: string) => string {
  const { t } = useTranslation('postback')
  return useCallback(
    (error) => {
      // what was removed before the code was one stands there with a space
      const code = DELIVERY_ERRORS.find((one) => one === error.replace(' ', '_'))
      return code === undefined ? error : t(`error.${code}`)
    },
    [t],
  )
}
