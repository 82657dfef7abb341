import { UNKNOWN } from '#web/format.ts'
import type { ChartData } from '#web/kit/chart/series.ts'
import classes from '#web/kit/chart/chart.module.css'

/** The figures of a chart as a table. */
export function ChartTable({ labels, series, format, soFar, label, height }: ChartData & { label: string; height: number }) {
  return (
    // a box that scrolls must be reachable by keyboard
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.scroller} style={{ maxHeight: height }} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.table}>
        <thead>
          <tr>
            <td />
            {series.map((one) => (
              <th key={one.id} scope="col">
                {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((point, index) => (
            <tr key={point}>
              <th scope="row">{index === labels.length - 1 ? (soFar ?? point) : point}</th>
              {series.map((one) => {
                const value = one.values[index]
                return <td key={one.id}>{value === null || value === undefined ? UNKNOWN : format(value)}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
