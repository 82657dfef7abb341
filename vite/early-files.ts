import type { Plugin } from 'vite'

const FRAME = '/web/shell/layout/panel-frame.tsx'
const TEXTS = ['/web/i18n/en-start.ts', '/zod/v4/locales/en.js']

/**
 * Names files in the page that the app asks for only once it runs: the first texts for everybody, and the panel's frame
 * for `start.js`, which asks for it when somebody is signed in.
 */
export function earlyFiles(): Plugin {
  return {
    name: 'early-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(page, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const withImports = (module: string): string[] => {
          const entry = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
          if (entry === undefined) throw new Error(`no chunk for ${module}`)
          const files = new Set([entry.fileName])
          for (const file of files) for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(next)
          return [...files].filter((file) => !page.includes(file)).map((file) => `/${file}`)
        }
        return [
          { tag: 'meta', attrs: { name: 'panel', content: withImports(FRAME).join(' ') }, injectTo: 'head-prepend' },
          ...TEXTS.flatMap(withImports).map((href) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href },
            injectTo: 'head' as const,
          })),
        ]
      },
    },
  }
}
