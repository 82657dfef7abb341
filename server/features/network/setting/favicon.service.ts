import { textOn } from '#contract/network/contrast.ts'
import { pictureOf } from './general.service.ts'
import type { GeneralSettings } from './setting.queries.ts'

/** The sign that was uploaded, or the first letter of the title on the network's colour. */
export function faviconOf({ favicon, partner_title, colour }: Pick<GeneralSettings, 'favicon' | 'partner_title' | 'colour'>) {
  const letter = ([...partner_title][0] ?? '').toLocaleUpperCase()
  return (
    pictureOf(favicon) ?? {
      contentType: 'image/svg+xml',
      content: Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${/^#[0-9a-f]{6}$/i.test(colour) ? colour : '#4361ee'}"/>` +
          `<text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" font-weight="700" fill="${textOn(colour)}">` +
          `&#${letter.codePointAt(0) ?? 32};</text></svg>`,
      ),
    }
  )
}
