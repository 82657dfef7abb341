import { useTranslation } from '#web/i18n/use-translation.ts'
import { changeAt, type FieldProps } from '#web/kit/fields/field.ts'
import { PICTURE_KINDS, PictureInput } from '#web/kit/fields/picture/picture-input.tsx'
import { notify } from '#web/notify.ts'

/** What the server takes, in bytes of the file. */
const LARGEST = 140 * 1024

/** A small picture, kept as a data address; null = none. `alt` says what it is. */
export function LogoField<Values>({ alt, ...field }: FieldProps<Values> & { alt: string }) {
  const { t } = useTranslation('setting')
  const choose = async (file: File) => {
    if (!PICTURE_KINDS.includes(file.type) || file.size > LARGEST) return notify.error(t('logoRefused'))
    changeAt(field.of, field.name, await dataAddress(file))
  }
  return (
    <PictureInput
      field={field}
      shown={(address) => <img src={address} alt={alt} style={{ height: 40, maxWidth: 200, objectFit: 'contain' }} />}
      onChoose={choose}
    />
  )
}

function dataAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error(reader.error?.message ?? 'unreadable file'))
    reader.readAsDataURL(file)
  })
}
