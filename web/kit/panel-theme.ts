import type { MantineThemeOverride } from '@mantine/core'
import { filterByMatch } from '#web/kit/fields/best-match.ts'

// The list of choices scrolls itself: a box around it would be a place the keyboard cannot reach. A field that is given the focus, such as
// the first of a dialog, keeps it shut: a click, typing or an arrow opens it.
const list = { withScrollArea: false, filter: filterByMatch, openOnFocus: false }
const styles = { options: { maxHeight: 240, overflowY: 'auto' } }

/** What only the panel needs of the theme, so that sign-in does not fetch it: every list that is typed into finds alike, and Enter takes what it found first. */
export const PANEL_THEME: MantineThemeOverride = {
  components: {
    Select: { defaultProps: { ...list, selectFirstOptionOnChange: true }, styles },
    MultiSelect: { defaultProps: list, styles },
    Autocomplete: { defaultProps: list, styles },
    TagsInput: { defaultProps: list, styles },
  },
}
