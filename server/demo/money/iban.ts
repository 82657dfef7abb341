/** An IBAN of a country for an account, with the check digits that belong to it. */
export function ibanOf(country: string, account: string): string {
  const digits = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`
}
