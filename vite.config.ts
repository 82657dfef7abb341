import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './vite/compressed.ts'
import { earlyFiles } from './vite/early-files.ts'
import { flags } from './vite/flags.ts'
import { noCircles } from './vite/no-circles.ts'
import { smallStart } from './vite/small-start.ts'
import { usedLetters } from './vite/used-letters.ts'
import { usedMantineStyles } from './vite/used-mantine-styles.ts'
import { withoutJsonSchema } from './vite/without-json-schema.ts'

const api = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

/** Tables and their filters: what lists and statistics need and the dashboard does not. */
const LISTS = /\/web\/traffic-[a-z-]+\.ts$|\/web\/kit\/(list|table|view)\/|node_modules\/@tanstack\/(react-)?(table|virtual|store)/
/** Fields beyond plain text, and what saves them. */
const FORMS =
  /\/web\/kit\/(form|fields(?!\/phone))\/|node_modules\/(@mantine\/(dates|form)|dayjs)\/|@mantine\/core\/.*\/(\w*Select|Autocomplete|TagsInput|NumberInput|Checkbox|Radio|Switch|Combobox|Pill\w*|Textarea|Tabs)\/(?!CheckIcon|RadioIcon)/
/** What stands around every screen; how a colour is picked, tabs of few screens and words of few features do not. */
const PANEL =
  /\/contract\/traffic\/(metric|dimension|verdict)\.ts$|\/web\/(kit\/(page(?!\/(header-|with-header|grouped|use-fitting))|feedback|show|chart)|shell(?!\/(security|settings|part-tabs|layout\/device-name)))\/|\/web\/(kit\/)?(?!call-reason|traffic-|targeting-words|verdict-words|simulator-address|find-invoices)[a-z-]+\.ts$|node_modules\/(@mantine\/(core|hooks|modals)(?!.*(Color|Eye|eye-dropper|Hue|Alpha))|@floating-ui|@tabler|react-remove-scroll)/
/** What the dashboards tell of news, and the page of news shows too. */
const NEWS_CARD = /\/web\/features\/network\/news\/(news-card|news-entry|use-news|news\.module)\./

/** Small shapes that many endpoints share: in a file each they would cost more by their names than by what they hold. */
const SHAPES =
  /\/contract\/(paging|shape|(network\/(define-setting|file)|traffic\/(period|figures)|leads\/traffic-type|offers\/offer-cap|people\/(account|preference))\.ts)/
/** What stands around every page of settings. */
const SETTINGS = /\/web\/(setting-form|last-change|shell\/settings(-page)?(\/[a-z-]+)?)\.tsx?$/

/** Builds the web app to `dist/web`, which the api process serves; `npm run dev` serves it from the sources. */
export default defineConfig({
  plugins: [
    react(),
    usedMantineStyles(),
    usedLetters(),
    withoutJsonSchema(),
    flags(),
    noCircles(),
    earlyFiles(),
    smallStart(),
    compressed(),
  ],
  publicDir: 'web/public',
  server: { host: '127.0.0.1', proxy: { '/api': api, '^/favicon$': api } },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // the CSP allows fonts from the own origin only, not from data addresses
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // the icon package names 6,000 files in one; only those in use are read
      experimental: { lazyBarrel: true },
      output: {
        // the names of all files come with the first one, and nothing makes them shorter: seven letters tell two versions apart
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          // What every page needs is fetched at once in two files; the rest in one file for each purpose.
          includeDependenciesRecursively: false,
          groups: [
            { name: 'react', tags: ['$initial'], test: /node_modules\/(react|react-dom|scheduler|react-router)\//, priority: 2 },
            // main.tsx waits for chunks that import this one, so it stays outside
            { name: 'start', tags: ['$initial'], test: /^(?!.*(\/web\/main\.tsx|index\.html))/, priority: 1 },
            { name: 'list', test: LISTS, minShareCount: 2 },
            { name: 'form', test: FORMS, minShareCount: 2 },
            { name: 'panel', test: PANEL, minShareCount: 2 },
            { name: 'news-card', test: NEWS_CARD, minShareCount: 2 },
            { name: 'shapes', test: SHAPES, minShareCount: 2 },
            { name: 'settings', test: SETTINGS, minShareCount: 2 },
          ],
        },
      },
    },
  },
})
