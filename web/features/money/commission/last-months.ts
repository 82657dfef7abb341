/** So many months can be chosen. */
const MONTHS = 24

/** The month of a day and those before it, the latest first. */
export function lastMonths(today: string): string[] {
  const [year = 0, month = 0] = today.split('-').map(Number)
  return Array.from({ length: MONTHS }, (_one, ago) => {
    const all = year * 12 + month - 1 - ago
    return `${Math.floor(all / 12)}-${String((all % 12) + 1).padStart(2, '0')}`
  })
}
