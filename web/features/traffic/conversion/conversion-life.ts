import type { CallOutput } from '#contract/endpoint.ts'
import type { conversionApi } from '#contract/traffic/conversion.ts'

/** One conversion with everything that happened to it. */
export type ConversionLife = CallOutput<typeof conversionApi.get>
/** A row of the list. */
export type Conversion = ConversionLife['conversion']
