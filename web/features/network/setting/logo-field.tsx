import { Button, FileButton, Group, Input } from '@mantine/core'
import { IconPhoto, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { changeAt, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { notify } from '#web/notify.ts'

/** What the server takes, in bytes of the file. */
const LARGEST = 140 * 1024
const KINDS = ['image/png', 'image/jpeg', 'image/webp']

/** A small picture, kept as a data address; null = none. */
export function LogoField<Values>(field: FieldProps<Values>) {
  const { t } = useTranslation('setting')
  const value = valueAt<Values, string | null>(field.of, field.name)
  const { id, label, description, error } = fieldProps(field)

  const choose = async (file: File | null) => {
    if (file === null) return
    if (!KINDS.includes(file.type) || file.size > LARGEST) return notify.error(t('logoRefused'))
    changeAt(field.of, field.name, await dataAddress(file))
  }
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      data-wide={field.wide || undefined}
    >
      <Group gap="sm" my={4}>
        {value !== null && <img src={value} alt={t('logoAlt')} style={{ height: 40, maxWidth: 200, objectFit: 'contain' }} />}
        <FileButton accept={KINDS.join(',')} onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} id={id} variant="default" leftSection={<IconPhoto size={16} aria-hidden />}>
              {t(value === null ? 'logoChoose' : 'logoReplace')}
            </Button>
          )}
        </FileButton>
        {value !== null && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconX size={16} aria-hidden />}
            onClick={() => changeAt(field.of, field.name, null)}
          >
            {t('logoRemove')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
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
