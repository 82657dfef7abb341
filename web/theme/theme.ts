import { createTheme, type CSSVariablesResolver, type MantineColorsTuple, type MantineThemeOverride } from '@mantine/core'
import { contrast } from '#contract/network/contrast.ts'
import { readableOn, shadesOf, veil, visibleShade } from './colour.ts'

const FONT = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
const MONOSPACE = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Segoe UI Mono', 'Liberation Mono', Menlo, monospace"

/** Cool greys, light to dark: lines from 2, texts that must be read from 5 (contrast 4.5 on white). */
const GRAY: MantineColorsTuple = [
  '#f6f7f9',
  '#f0f1f4',
  '#e5e7eb',
  '#d8dbe1',
  '#cdd1d8',
  '#6b7280',
  '#555c68',
  '#434954',
  '#2c313a',
  '#191c22',
]
/** The same for the dark scheme, text first: 3 is the faintest that may be read, 7 the surface. */
const DARK: MantineColorsTuple = [
  '#e8eaee',
  '#c6cbd4',
  '#a0a7b4',
  '#858d9b',
  '#3d434e',
  '#262a32',
  '#1d2026',
  '#17191f',
  '#121418',
  '#0c0e11',
]

/** What most of the panel stands on, by scheme. */
export const SURFACE = { light: '#ffffff', dark: '#17191f' } as const
const HOVERED = { light: '#f0f1f4', dark: '#2a2e36' } as const

/** Mantine's theme over the network's accent colour. Text on the accent is black or white, whichever reads better. `close` names the crosses of dialogs, `nothingFound` is what a choice says that has nothing like what was typed. */
export function themeOf(accent: string, { close, nothingFound }: { close: string; nothingFound: string }): MantineThemeOverride {
  return createTheme({
    primaryColor: 'accent',
    primaryShade: { light: visibleShade(accent, SURFACE.light), dark: visibleShade(accent, SURFACE.dark) },
    colors: { accent: shadesOf(accent), gray: GRAY, dark: DARK },
    white: '#ffffff',
    black: '#191c22',
    autoContrast: true,
    // where black and white contrast alike with a background: (0.05 × 1.05)^½ − 0.05
    luminanceThreshold: 0.179,
    fontFamily: FONT,
    fontFamilyMonospace: MONOSPACE,
    fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
    lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
    spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
    radius: { xs: '3px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
    defaultRadius: 'md',
    headings: {
      fontFamily: FONT,
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.375rem', lineHeight: '1.3' },
        h2: { fontSize: '1.125rem', lineHeight: '1.35' },
        h3: { fontSize: '1rem', lineHeight: '1.4' },
        h4: { fontSize: '0.875rem', lineHeight: '1.45' },
      },
    },
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Button: { defaultProps: { size: 'sm' }, styles: { label: { fontWeight: 550 } } },
      // help stands under its field, as forms have it
      InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } },
      Paper: { defaultProps: { radius: 'lg' }, styles: { root: { '--paper-border-color': 'var(--ohma-line)' } } },
      Alert: { defaultProps: { radius: 'lg' } },
      // a list of options holds nothing else: that there are none is one nobody can choose
      ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true } },
      Select: { defaultProps: { nothingFoundMessage: nothingFound } },
      MultiSelect: { defaultProps: { nothingFoundMessage: nothingFound } },
      Divider: { defaultProps: { color: 'var(--ohma-line)' } },
      Table: {
        styles: {
          table: { '--table-border-color': 'var(--ohma-line)' },
          th: { fontSize: 12.5, fontWeight: 550, color: 'var(--ohma-soft)' },
        },
      },
      Code: { styles: { root: { fontSize: 12.5, backgroundColor: 'var(--ohma-sunken)' } } },
      // where a menu is higher than the window, as at twice the size of everything, it scrolls
      Menu: {
        // its placeholder for the first focus is an element no menu may hold
        defaultProps: { middlewares: { size: { padding: 8, apply: tellRoom } }, withInitialFocusPlaceholder: false },
        styles: { dropdown: { maxHeight: 'var(--menu-room)', maxWidth: 'calc(100vw - 16px)', overflowY: 'auto' } },
      },
      // its own monospace face has no arrows on some machines; the panel's face brings them along
      Kbd: { styles: { root: { fontFamily: FONT } } },
      Timeline: { defaultProps: { bulletSize: 28, lineWidth: 1, color: 'gray' } },
      ModalCloseButton: { defaultProps: { 'aria-label': close } },
      DrawerCloseButton: { defaultProps: { 'aria-label': close } },
      // the head of a dialog is no banner of the page
      ModalHeader: { defaultProps: { role: 'presentation' } },
      DrawerHeader: { defaultProps: { role: 'presentation' } },
      Tooltip: { defaultProps: { openDelay: 250, transitionProps: { duration: 120 } } },
    },
  })
}

function tellRoom({ availableHeight, elements }: { availableHeight: number; elements: { floating: HTMLElement } }): void {
  elements.floating.style.setProperty('--menu-room', `${Math.max(120, Math.floor(availableHeight))}px`)
}

/** Colours that Mantine cannot know: those that must be read on the surfaces of each scheme, whatever the accent is. */
export function cssVariables(accent: string): CSSVariablesResolver {
  const variables = (scheme: 'light' | 'dark') => {
    const shades = shadesOf(accent)
    const filled = shades[visibleShade(accent, SURFACE[scheme])]
    // texts are read on what is hovered, too: the darkest grey of a light surface, the lightest of a dark one
    const text = readableOn(accent, HOVERED[scheme])
    const tinted = `color-mix(in srgb, ${accent} ${scheme === 'light' ? 10 : 18}%, transparent)`
    const onTint = readableOn(accent, veil(accent, scheme === 'light' ? 0.16 : 0.26, HOVERED[scheme]))
    return {
      '--mantine-color-body': `var(--ohma-page, ${scheme === 'light' ? '#fbfbfc' : '#121418'})`,
      '--mantine-color-error': scheme === 'light' ? '#c02a2a' : '#ff9a94',
      '--mantine-color-success': scheme === 'light' ? '#157347' : '#5fcf95',
      '--mantine-color-red-text': scheme === 'light' ? '#c02a2a' : '#ff9a94',
      '--mantine-color-red-light-color': scheme === 'light' ? '#a61e1e' : '#ffa8a3',
      '--mantine-color-anchor': text,
      '--mantine-color-accent-text': text,
      '--mantine-color-accent-outline': text,
      '--mantine-color-accent-light': tinted,
      '--mantine-color-accent-light-hover': `color-mix(in srgb, ${accent} ${scheme === 'light' ? 16 : 26}%, transparent)`,
      '--mantine-color-accent-light-color': onTint,
      '--ohma-accent': filled,
      '--ohma-accent-text': text,
      // a focus ring has to stand out from the surface by 3 to 1, which a pale accent does not
      '--ohma-focus': contrast(filled, SURFACE[scheme]) >= 3 ? filled : text,
    }
  }
  return () => ({ variables: {}, light: variables('light'), dark: variables('dark') })
}
