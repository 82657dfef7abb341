/** Networks of machines for hire whose names do not say so: large clouds and hosts, by their numbers. */
const HOSTING: ReadonlySet<number> = new Set([
  // Amazon, Google Cloud, Microsoft, Oracle, Alibaba, Tencent, IBM, Huawei
  14618, 16509, 396982, 8075, 31898, 45102, 132203, 36351, 136907,
  // DigitalOcean, OVH, Hetzner, Akamai (Linode), Vultr, Contabo, Scaleway, IONOS, Leaseweb, Hostinger, netcup, Aruba, UpCloud
  14061, 16276, 24940, 213230, 63949, 20473, 51167, 40021, 141995, 12876, 8560, 60781, 28753, 30633, 7203, 47583, 197540, 31034, 202053,
  // M247, Datacamp, HostRoyale, ColoCrossing, Psychz, Clouvider, G-Core, Selectel, Timeweb, Hostwinds, Worldstream, FranTech, Stark
  9009, 60068, 212238, 203020, 36352, 40676, 62240, 199524, 49505, 9123, 54290, 49981, 53667, 44477,
])

/** Whether a network is known to rent machines rather than to serve people. */
export function isHosting(asn: number): boolean {
  return HOSTING.has(asn)
}
