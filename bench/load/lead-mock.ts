import { startMockAdvertiser } from '#server/demo/mock-advertiser.ts'

// The mock advertiser of the bench of leads, as a process of its own: tells its parent where it is and the key of its account.
const { host, key } = await startMockAdvertiser()
process.send?.({ host, key })
