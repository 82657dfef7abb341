import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of Ohma that runs. */
export const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string } // our own file
