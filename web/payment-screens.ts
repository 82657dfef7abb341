import { OwnPaymentSettingsScreen } from '#web/own-payment-settings-screen.tsx'
import { PaymentSettingsScreen } from '#web/payment-settings-screen.tsx'

/** The settings of payments of both sides, as one file of which whoever signs in is told one name. */
export const paymentScreens = { staff: PaymentSettingsScreen, own: OwnPaymentSettingsScreen }
