import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

/** Builds the web app to `dist/web`, which the api process serves; `npm run dev` serves it from the sources. */
export default defineConfig({
  plugins: [react()],
  publicDir: 'web/public',
  server: { host: '127.0.0.1', proxy: { '/api': api } },
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
        // What rarely changes stays in the browser's cache when the app does; what several screens share comes in one file.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
            { name: 'mantine', test: /node_modules\/(@mantine\/(core|hooks|modals)|@floating-ui)\// },
            {
              name: 'data',
              test: /node_modules\/(zod|@tanstack\/(react-)?query(-core)?|zustand|(react-)?i18next|@mantine\/form)\//,
              minShareCount: 2,
            },
            { name: 'app', test: /\/(contract\/|web\/(api|shell)\/[a-z-]+\.tsx?|web\/(i18n\/language|[a-z-]+)\.ts)/, minShareCount: 2 },
            { name: 'kit', test: /\/web\/kit\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
})
