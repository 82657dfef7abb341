import type { DimensionId } from '#contract/traffic/dimension.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { askClickhouse } from './ask.ts'
import { isNumbered } from './expression.ts'
import { readUnrated, unratedStatement, type RatesMissing } from './fact-branch.ts'
import type { ReportPlan } from './plan.ts'
import type { RateTable } from './rates.ts'
import { reportStatement, type ReportStatement } from './report-sql.ts'
import { metricValues, type MetricValues, type Known, type SumId, type Sums } from './sums.ts'
import type { Step } from './steps.ts'

export type ReportRows = {
  /** A row: the ids of its keys, in the order of the groups, its figures, and the sums they follow from. */
  rows: { ids: string[]; values: MetricValues; sums: Sums }[]
  /** Rows of the whole result. */
  count: number
  /** Figures of the whole result. */
  totals: MetricValues
  /** Where amounts lacked a rate; their money is unsaid. */
  ratesMissing: RatesMissing[]
  known: Known
  steps: ReadonlyMap<DimensionId, Step[]>
  timing: { engine_ms: number; rows_read: number; source: string }
}

/** Runs a plan. Throws `report_too_heavy`, `statistics_away`. */
export async function runReport(clickhouse: Clickhouse, plan: ReportPlan, signal?: AbortSignal): Promise<ReportRows> {
  const statement = reportStatement(plan)
  const answer = await askClickhouse(clickhouse, statement.query, statement.values, { signal, wholeCount: true })
  // A page past the end comes without totals (see askClickhouse): they are those of the first page.
  if (answer.data.length === 0 && plan.offset > 0)
    return { ...(await runReport(clickhouse, { ...plan, offset: 0, limit: 1 }, signal)), rows: [] }
  const keys = plan.groups.length
  const rows = answer.data.map((row) => {
    const sums = readSums(row, keys, statement)
    return {
      ids: plan.groups.map((group, index) => idOf(group, row[index], statement.steps)),
      values: metricValues(sums, plan.metrics, statement.known),
      sums,
    }
  })
  // Without keys there is one row, and it is the total.
  const totals = answer.totals ?? answer.data[0] ?? []
  const sums = readSums(totals, keys, statement)
  return {
    rows,
    count: answer.rows_before_limit_at_least ?? rows.length,
    totals: metricValues(sums, plan.metrics, statement.known),
    ratesMissing: plan.rates !== null && sums.unrated ? await missingRates(clickhouse, plan, plan.rates, signal) : [],
    known: statement.known,
    steps: statement.steps,
    timing: {
      engine_ms: Math.round(answer.statistics.elapsed * 100_000) / 100,
      rows_read: answer.statistics.rows_read,
      source: statement.source,
    },
  }
}

async function missingRates(clickhouse: Clickhouse, plan: ReportPlan, rates: RateTable, signal?: AbortSignal): Promise<RatesMissing[]> {
  const { query, values } = unratedStatement(plan, rates)
  const { data } = await askClickhouse(clickhouse, query, values, { signal })
  return data.map(readUnrated)
}

function readSums(row: readonly unknown[], from: number, { sums }: ReportStatement): Sums {
  return Object.fromEntries(sums.map((sum: SumId, index) => [sum, whole(row[from + index])]))
}

/** Integers arrive as text. */
function whole(value: unknown): bigint {
  return BigInt(String(value ?? 0))
}

function idOf(group: DimensionId, key: unknown, steps: ReadonlyMap<DimensionId, Step[]>): string {
  const list = steps.get(group)
  if (list === undefined || group === 'weekday' || isNumbered(group)) return String(key)
  const start = Number(key)
  return list.find((step) => step.start === start)?.id ?? String(key)
}
