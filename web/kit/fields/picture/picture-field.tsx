import { useTranslation } from '#web/i18n/use-translation.ts'
import { fileApi, LARGEST_FILE, type FileKind } from '#contract/network/file.ts'
import { useSave } from '#web/api/query.ts'
import { changeAt, type FieldProps } from '#web/kit/fields/field.ts'
import { PictureInput } from '#web/kit/fields/picture/picture-input.tsx'
import { Picture } from '#web/kit/show/picture.tsx'
import { notify } from '#web/notify.ts'

/** A picture of at most 5 MB, uploaded as soon as it is chosen; the value is its uuid or null. */
export function PictureField<Values>({ kind, ...field }: FieldProps<Values> & { kind: FileKind }) {
  const { t } = useTranslation('kit')
  const upload = useSave(fileApi.upload, { onSuccess: ({ uuid }) => changeAt(field.of, field.name, uuid) })
  const choose = async (file: File) => {
    if (file.size > LARGEST_FILE) return notify.error(t('picture.tooLarge'))
    upload.mutate({ query: { kind }, body: new Uint8Array(await file.arrayBuffer()) })
  }
  return (
    <PictureInput field={field} shown={(uuid) => <Picture uuid={uuid} alt={field.label} />} choosing={upload.isPending} onChoose={choose} />
  )
}
