import { useTranslation } from 'react-i18next'
import { BulkMenu } from '#web/kit/list/bulk-menu.tsx'
import type { List } from '#web/kit/list/use-list.ts'
import type { HasStatus, StatusSet } from '#web/kit/status/status-look.ts'
import { useStatus, useStatusOptions } from '#web/kit/status/use-status.tsx'

type StatusMenuProps<Row extends HasStatus<Value>, Value extends string> = { list: List<Row>; of: StatusSet<Value, Row> }

/** A bulk action that gives all chosen rows one status. */
export function StatusMenu<Row extends HasStatus<Value>, Value extends string>({ list, of }: StatusMenuProps<Row, Value>) {
  const { t } = useTranslation('common')
  const { set } = useStatus(of)
  return <BulkMenu list={list} label={t('setStatus')} options={useStatusOptions(of)} onChoose={set} />
}
