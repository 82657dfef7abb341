import { Flex, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ConversionLife } from '#web/features/traffic/conversion/conversion-life.ts'
import { Money } from '#web/kit/show/money.tsx'

/** One booking with both its sides; what is debited is positive. */
export function Booking({ booking }: { booking: ConversionLife['money'][number] }) {
  const { t } = useTranslation('conversion')
  return (
    <ul>
      {booking.entries.map(({ account, amount }, index) => (
        // an account may stand in a booking twice; entries never change their order
        // oxlint-disable-next-line react/no-array-index-key
        <Flex component="li" key={index} gap="md" py={4}>
          <Text c="dimmed" flex="0 1 200px">
            {
              t(`account.${account}` as 'account.receivable', {
                defaultValue: account,
              }) /* accounts the file does not know stay as they are */
            }
          </Text>
          <Money amount={amount} currency={booking.currency} exact />
        </Flex>
      ))}
    </ul>
  )
}
