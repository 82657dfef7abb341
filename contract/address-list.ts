import { z } from 'zod'

/** An IP address, or a network of them in CIDR notation; of either version. */
export const network = z
  .string()
  .trim()
  .max(60)
  .refine((text) => NETWORK.safeParse(text).success, 'An address or network such as 203.0.113.7 or 203.0.113.0/24')
const NETWORK = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** Addresses and networks somebody may come from; none = anywhere. */
export const addressList = z.array(network).max(50)
