import { Flex, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ConversionLife } from '#web/features/traffic/conversion/conversion-life.ts'
import { Money } from '#web/kit/show/money.tsx'

type BookingProps = {
  booking: ConversionLife['money'][number]
  /** Whether its reader is the affiliate, whose accounts alone it holds. */
  own: boolean
}

/** What is owed to its owner or earned grows by a credit, which the ledger has as negative. */
const GROWS_BY_CREDIT = /^(affiliate_|network_revenue$)/

/** One booking as what each of its accounts gains or loses, never as debit and credit. */
export function Booking({ booking, own }: BookingProps) {
  const { t } = useTranslation('conversion')
  return (
    <ul>
      {booking.entries.map(({ account, amount }, index) => {
        const isLess = amount.startsWith('-') !== GROWS_BY_CREDIT.test(account)
        const word = isLess ? (booking.kind === 'hold_release' ? 'released' : 'takenBack') : 'added'
        return (
          // an account may stand in a booking twice; entries never change their order
          // oxlint-disable-next-line react/no-array-index-key
          <Flex component="li" key={index} gap="md" py={4}>
            <Text c="dimmed" flex="0 1 200px">
              {
                t(`${own ? 'own' : 'account'}.${account}` as 'account.receivable', {
                  defaultValue: account,
                }) /* accounts the file does not know stay as they are */
              }
            </Text>
            <span>
              {!isLess && '+'}
              <Money amount={`${isLess ? '-' : ''}${amount.replace('-', '')}`} currency={booking.currency} />{' '}
              <span className="ohma-soft">{t(`entry.${word}`)}</span>
            </span>
          </Flex>
        )
      })}
    </ul>
  )
}
