import { buildWebIfOld } from '#server/processes/commands/web-build.ts'

/** Vitest's set-up before the browser files: the web app is built once, not by several workers at the same time. */
export async function setup(): Promise<void> {
  await buildWebIfOld(() => {})
}
