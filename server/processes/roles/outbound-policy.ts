import type { Config } from '#server/platform/config.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'

/** Where outgoing requests may go. The advertisers of the demo network exist nowhere: a process on this machine answers for them. */
export async function outboundPolicy({ outboundAllow, demoAdvertisers }: Config): Promise<OutboundPolicy> {
  if (demoAdvertisers === null) return { allow: outboundAllow }
  // nothing of the demo is loaded anywhere else
  const { DEMO_HOSTS } = await import('#server/demo/mock/hosts.ts')
  return { allow: outboundAllow, standIn: { hosts: DEMO_HOSTS, url: demoAdvertisers } }
}
