import { createHash, timingSafeEqual } from 'node:crypto'

/** One metric: its name with its unit, what it says, and its values by labels. Values that nobody knows are left out. */
export type Metric = {
  name: string
  help: string
  type: 'counter' | 'gauge'
  values: readonly { labels?: Readonly<Record<string, string>>; value: number | null | undefined }[]
}

/** What `/metrics` answers with. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics in the text format of Prometheus (0.0.4), https://prometheus.io/docs/instrumenting/exposition_formats/. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, values }) => {
      const lines = values.flatMap(({ labels = {}, value }) => {
        if (value === null || value === undefined || Number.isNaN(value)) return []
        const inside = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`)
        return `${name}${inside.length > 0 ? `{${inside.join(',')}}` : ''} ${value}\n`
      })
      return lines.length === 0 ? '' : `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}

/** Whether a request may read the metrics: it brings the token, compared in constant time. */
export function bringsToken(authorization: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  const given = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(hash(given), hash(token))
}

/** One value without labels. */
export function single(name: string, type: Metric['type'], help: string, value: number | null | undefined): Metric {
  return { name, type, help, values: [{ value }] }
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
