/** Adds two decimal texts exactly, whatever their number of decimals: '0.1' + '0.25' = '0.35'. */
export function addDecimals(left: string, right: string): string {
  const scale = Math.max(scaleOf(left), scaleOf(right))
  return fromScaled(toScaled(left, scale) + toScaled(right, scale), scale)
}

/** Whether a text is a plain decimal number. */
export function isDecimal(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text)
}

function scaleOf(text: string): number {
  const point = text.indexOf('.')
  return point === -1 ? 0 : text.length - point - 1
}

function toScaled(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

function fromScaled(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const sign = units < 0n ? '-' : ''
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
