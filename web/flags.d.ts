/** The flags that vite/flags.ts serves: `<folder><code>.svg` for each of the codes, which stand one after the other with spaces between. */
declare module 'virtual:flags' {
  export const folder: string
  export const codes: string
}
