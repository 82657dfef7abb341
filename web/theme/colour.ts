import { contrast, luminance, rgbOf as parse, type Rgb } from '#contract/network/contrast.ts'

/** Mantine's ten shades of an accent, light to dark; the colour itself is the seventh (index 6). */
export type Shades = [string, string, string, string, string, string, string, string, string, string]

type ShadeIndex = 3 | 4 | 5 | 6 | 7 | 8 | 9

/** Makes the ten shades of an accent colour by mixing it with white and with black. */
export function shadesOf(accent: string): Shades {
  const base = parse(accent)
  const lighter = (share: number) => format(mix(base, [255, 255, 255], share))
  const darker = (share: number) => format(mix(base, [0, 0, 0], share))
  return [
    lighter(0.93),
    lighter(0.85),
    lighter(0.72),
    lighter(0.56),
    lighter(0.4),
    lighter(0.2),
    format(base),
    darker(0.14),
    darker(0.28),
    darker(0.45),
  ]
}

/** The shade of an accent that a button on this surface is filled with: the accent itself unless it would melt into it. */
export function visibleShade(accent: string, surface: string): ShadeIndex {
  const shades = shadesOf(accent)
  const order: readonly ShadeIndex[] = luminance(parse(surface)) > 0.18 ? [6, 7, 8, 9] : [6, 5, 4, 3]
  return order.find((index) => contrast(shades[index], surface) >= 1.25) ?? 6
}

/** The colour itself, or as much lighter or darker as it takes to read on this background with a contrast of 4.5. */
export function readableOn(colour: string, background: string): string {
  const towards: Rgb = luminance(parse(background)) > 0.18 ? [0, 0, 0] : [255, 255, 255]
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = format(mix(parse(colour), towards, share))
    if (contrast(candidate, background) >= 4.5) return candidate
  }
  return format(towards)
}

/** What a veil of this much of a colour (0 to 1) over a surface looks like. */
export function veil(colour: string, share: number, surface: string): string {
  return format(mix(parse(surface), parse(colour), share))
}

function format(rgb: Rgb): string {
  return `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share]
}
