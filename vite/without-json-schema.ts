import type { Plugin } from 'vite'

/**
 * Leaves out how zod's schemas describe themselves and what they allow as JSON Schema, which no screen asks for, and zod's own English,
 * which the panel has its words in place of: 8 KB that every page would wait for.
 */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        const left = code
          .replaceAll(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
          .replaceAll(/createStandardJSONSchemaMethod\(this, "\w+"\)/g, 'undefined')
          .replaceAll('processors.aggregateChecks(inst)', 'describedNowhere()')
          .replace('import en from "../locales/en.js";', 'const en = () => ({});')
          .replace('return createToJSONSchemaMethod(this, {})(params)', 'throw new Error("JSON Schema is not part of the web app")')
        if (/locales\/en|processJSONSchema|create\w*JSONSchemaMethod\(|processors\.(?!js)/.test(left))
          this.error('zod describes its schemas in another way than vite/without-json-schema.ts knows')
        return {
          code: `${left}\nfunction describedNowhere() { throw new Error("What a schema allows is not part of the web app") }`,
          map: null,
        }
      },
    },
  }
}
