/** A cell of a workbook as text: numbers as the workbook shows them, with a point; moments as their wall clock, whole days without one. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return clockText(value)
  if (typeof value === 'object' && 'text' in value) return numberText(String(value.text))
  return String(value).trim()
}

/** A workbook keeps 12.3 as 12.300000000000001: fifteen digits are what it means, as it shows them itself. */
function numberText(text: string): string {
  if (/^-?\d+(\.\d{1,8})?$/.test(text)) return text
  const number = Number(text)
  if (!Number.isFinite(number)) return text
  const exact = Number(number.toPrecision(15))
  const plain = Math.abs(exact) < 1e15 ? exact.toFixed(8).replace(/\.?0+$/, '') : String(exact)
  return plain === '-0' ? '0' : plain
}

function clockText(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  // a moment is a fraction of a day there, and comes some milliseconds off
  const text = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return text.endsWith(' 00:00:00') ? text.slice(0, 10) : text
}
