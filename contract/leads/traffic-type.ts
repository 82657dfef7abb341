import { z } from 'zod'

/** Leads as they came, and leads of distributions, which are offered a second time. */
export const TRAFFIC_TYPES = ['warm', 'cold'] as const
export type TrafficType = (typeof TRAFFIC_TYPES)[number]

export const TRAFFIC_CHOICES = [...TRAFFIC_TYPES, 'all'] as const
/**
 * Of which traffic rows and figures are. null: staff are told of warm ones, so that second sales do not blur what affiliates bring, and
 * affiliates of all of theirs, which must add up to what they are paid.
 */
export const trafficAsked = z.enum(TRAFFIC_CHOICES).nullable().default(null)
