import { ExportButton } from '#web/kit/list/export/export-button.tsx'
import { useReportColumns } from '#web/features/traffic/report/report-table.tsx'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'

/** The whole result as CSV, page by page. */
export function ReportExport({ report }: { report: ReportState }) {
  const columns = useReportColumns(report)
  return <ExportButton list={{ loader: report.loader, columns }} fileName={`statistics-${report.address.group.join('-') || 'total'}`} />
}
