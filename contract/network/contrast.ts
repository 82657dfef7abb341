/** A colour as red, green, blue from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** The contrast of two colours such as #4361ee after WCAG 2.2: 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => b - a) as [number, number] // two in, two out
  return (light + 0.05) / (dark + 0.05)
}

/** Black or white, whichever reads better on a colour. One of them always reaches 4.5. */
export function textOn(background: string): '#ffffff' | '#000000' {
  return contrast(background, '#ffffff') >= contrast(background, '#000000') ? '#ffffff' : '#000000'
}

/** Reads #rrggbb. */
export function rgbOf(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1, 7), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}

/** Relative luminance after WCAG 2.2, from 0 to 1. */
export function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number] // three in, three out
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
