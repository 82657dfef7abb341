import type { Plugin, Rolldown } from 'vite'

/** What `start.js` asks for ahead, by the name of the meta element that lists its files. */
const AHEAD: Readonly<Record<string, readonly string[]>> = {
  'start-en': ['/web/i18n/en-start.ts'],
  'start-uk': ['/web/i18n/uk-start.ts'],
  'panel-en': ['/web/i18n/en.ts'],
  'panel-uk': ['/web/i18n/uk.ts'],
  panel: ['/web/panel.ts'],
  dashboard: ['/web/dashboard-screen.tsx'],
  'dashboard-own': ['/web/own-dashboard-screen.tsx'],
}

/** Names files in the page that the app asks for only once it runs; `web/public/start.js` decides which of them this visit needs. */
export function earlyFiles(): Plugin {
  return {
    name: 'early-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(page, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output): output is Rolldown.OutputChunk => output.type === 'chunk')
        const withImports = (module: string): string[] => {
          const entry = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
          if (entry === undefined) throw new Error(`no chunk for ${module}`)
          const all = new Set([entry])
          for (const one of all) for (const chunk of chunks) if (one.imports.includes(chunk.fileName)) all.add(chunk)
          return [...all].flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])
        }
        const ofPanel = new Set((AHEAD['panel'] ?? []).flatMap(withImports))
        return Object.entries(AHEAD).map(([name, modules]) => {
          // a dashboard is asked for with the panel
          const files = new Set(modules.flatMap(withImports)).difference(name.startsWith('dashboard') ? ofPanel : new Set())
          return {
            tag: 'meta',
            attrs: {
              name,
              content: [...files]
                .filter((file) => !page.includes(file))
                .map((file) => `/${file}`)
                .join(' '),
            },
            injectTo: 'head-prepend' as const,
          }
        })
      },
    },
  }
}
