/** The month of a day and those before it, `count` in all, the latest first. */
export function lastMonths(today: string, count: number): string[] {
  const [year = 0, month = 0] = today.split('-').map(Number)
  return Array.from({ length: count }, (_one, ago) => {
    const all = year * 12 + month - 1 - ago
    return `${Math.floor(all / 12)}-${String((all % 12) + 1).padStart(2, '0')}`
  })
}
