import { createHmac, hkdfSync } from 'node:crypto'
import type { PaymentSystem } from '#contract/money/payment.ts'
import { tellingOf } from './check.service.ts'

/**
 * By what two accounts are known to be paid at the same place, whatever the system is called: keyed, so that nobody reads an IBAN out of it
 * without the instance's SECRET_KEY. null where a method tells no place.
 */
export function openMarker(secretKey: string | null): (system: PaymentSystem, kept: Readonly<Record<string, string>>) => Buffer | null {
  const key = Buffer.from(hkdfSync('sha256', secretKey ?? '', '', 'ohma mark of a payment method', 32))
  return (system, kept) => {
    const { field, value } = tellingOf(system, kept)
    // without a field that was checked only the whole is a place: two people have the same bank, or town
    const text = field === undefined || field.check === 'text' ? wholeOf(kept) : `${field.check}\n${value}`
    return text === '' ? null : createHmac('sha256', key).update(text.toLowerCase()).digest()
  }
}

function wholeOf(kept: Readonly<Record<string, string>>): string {
  return Object.entries(kept)
    .filter(([name]) => name !== 'holder')
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => `${name}\n${value.replace(/\s/g, '')}`)
    .join('\n')
}
