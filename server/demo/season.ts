/** What is advertised at a time of the year: campaign names of affiliates, and how shops call their sale. */
export type Season = { campaigns: readonly string[]; sale: { en: string; uk: string; de: string; path: string } }

/** A text, or one that names the season's sale. */
export type SeasonalText = string | ((sale: Season['sale']) => string)

/** Such a text at a moment, in ms. */
export function textAt(text: SeasonalText, at: number): string {
  return typeof text === 'string' ? text : text(seasonOf(at).sale)
}

const season = (path: string, en: string, uk: string, de: string, campaigns: string): Season => ({
  campaigns: campaigns.split(' '),
  sale: { en, uk, de, path },
})

const NEW_YEAR = season(
  'new-year',
  'New Year sale',
  'новорічний розпродаж',
  'Neujahrs-Sale',
  'new-year fresh-start winter-sale resolutions',
)
const VALENTINE = season(
  'valentine',
  'Valentine’s gifts',
  'до Дня закоханих',
  'Valentinstag',
  'valentine gifts-for-her winter-sale last-sizes',
)
const SPRING = season('spring', 'Spring sale', 'весняний розпродаж', 'Frühlings-Sale', 'spring-a spring-b womens-day easter')
const SUMMER = season('summer', 'Summer sale', 'літній розпродаж', 'Sommer-Sale', 'summer-a summer-b holiday-deals beach')
const AUTUMN = season('autumn', 'Autumn sale', 'осінній розпродаж', 'Herbst-Sale', 'back-to-school autumn-a autumn-b halloween')
const BLACK_FRIDAY = season(
  'black-friday',
  'Black Friday',
  'Чорна п’ятниця',
  'Black Friday',
  'black-friday bf-early cyber-week singles-day',
)
const CHRISTMAS = season(
  'christmas',
  'Christmas gifts',
  'різдвяні подарунки',
  'Weihnachtsgeschenke',
  'xmas-a xmas-b gift-guide last-minute-gifts',
)

const MONTHS = [NEW_YEAR, VALENTINE, SPRING, SPRING, SPRING, SUMMER, SUMMER, SUMMER, AUTUMN, AUTUMN, BLACK_FRIDAY, CHRISTMAS] as const

/** The season of a moment, in ms, by its month. */
export function seasonOf(at: number): Season {
  return MONTHS[new Date(at).getUTCMonth()] ?? NEW_YEAR
}
