import { useTranslation } from 'react-i18next'
import type { ConversionLife } from '#web/features/traffic/conversion/conversion-life.ts'
import { Money } from '#web/kit/show/money.tsx'
import classes from '#web/features/traffic/conversion/conversion.module.css'

/** One booking with both its sides; what is debited is positive. */
export function Booking({ booking }: { booking: ConversionLife['money'][number] }) {
  const { t } = useTranslation('conversion')
  return (
    <ul className={classes.entries}>
      {booking.entries.map(({ account, amount }, index) => (
        // an account may stand in a booking twice; entries never change their order
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <span>
            {
              t(`account.${account}` as 'account.receivable', {
                defaultValue: account,
              }) /* accounts the file does not know stay as they are */
            }
          </span>
          <Money amount={amount} currency={booking.currency} exact />
        </li>
      ))}
    </ul>
  )
}
